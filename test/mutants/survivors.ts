import type { Survivors } from './mutation-report.ts';

/** The mutants of the money rules that survive, each with the reason. `node test/mutants/run.ts` holds this list. */
export const SURVIVORS: readonly Survivors[] = [];
