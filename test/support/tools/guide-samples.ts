import { GUIDES } from '../../../shared/docs/guides.ts';

/** A block of code in a guide. After the language come its use, and of a recipe the file that it is or the step that it does. */
export interface Sample {
  readonly guide: string;
  readonly language: string;
  readonly use: string;
  readonly part: string;
  readonly code: string;
}

export const SAMPLES: readonly Sample[] = GUIDES.flatMap(({ name: guide, markdown }) =>
  [...markdown.matchAll(/```(\w+) ?([\w-]*) ?(\S*)\n(.*?)```/gs)].map(
    ([, language = '', use = '', part = '', code = '']) => ({ guide, language, use, part, code }),
  ),
);
