import { GUIDES } from '../../../shared/docs/guides.ts';

/** A block of code in a guide. Its use is the word after the language. */
export interface Sample {
  readonly guide: string;
  readonly language: string;
  readonly use: string;
  readonly code: string;
}

export const SAMPLES: readonly Sample[] = GUIDES.flatMap(({ name: guide, markdown }) =>
  [...markdown.matchAll(/```(\w+) ?([\w-]*)\n(.*?)```/gs)].map(([, language = '', use = '', code = '']) => ({
    guide,
    language,
    use,
    code,
  })),
);
