import { GUIDES } from '../../shared/docs/guides.ts';
import { SAMPLES, type Sample } from '../support/tools/guide-samples.ts';

/** A receiver that a guide has, for one stack. */
export interface Recipe {
  /** As the table of stacks calls it. */
  readonly name: string;
  /** Its word in the fences of its guide: `express`. */
  readonly stack: string;
  /** The packages that the table says it was tested with, with their versions: `express` to `5.3.0`. */
  readonly versions: ReadonlyMap<string, string>;
  /** The command that installs what it takes. */
  readonly install: string;
  /** The commands that start it. */
  readonly start: string;
  /** By their paths. */
  readonly files: ReadonlyMap<string, string>;
}

/** What all stacks of a guide take. */
export const SHARED = 'shop';

const ROW = /^\| \[(?<name>[^\]]+)\]\(\/docs\/(?<guide>[\w-]+)#(?<stack>[\w-]+)\) \| (?<tested>.+) \|$/gm;
const table = GUIDES.find(({ name }) => name === 'stacks')?.markdown ?? '';

/** One for each row of the table of stacks. */
export const RECIPES: readonly Recipe[] = [...table.matchAll(ROW)].map(({ groups = {} }) => {
  const { name = '', guide = '', stack = '', tested = '' } = groups;
  const samples = SAMPLES.filter((sample) => sample.guide === guide && [stack, SHARED].includes(sample.use));
  return {
    name,
    stack,
    versions: new Map(
      [...tested.matchAll(/`([^`]+)` ([\d.]+)/g)].map(([, of = '', version = '']) => [of, version]),
    ),
    install: stepOf(samples, 'install'),
    start: stepOf(samples, 'start'),
    files: new Map(samples.filter(isFile).map(({ part, code }) => [part, code])),
  };
});

/** Whether a block of code is a file of a recipe. */
export function isFile({ part }: Sample): boolean {
  return part.includes('.');
}

function stepOf(samples: readonly Sample[], step: string): string {
  return samples.find(({ part }) => part === step)?.code ?? '';
}
