import fc from 'fast-check';
import { anyCommand, type Command } from '../faults/model/commands.ts';
import { anyErrand, type Errand } from './errands.ts';
import { SeededRandom } from './seeded-random.ts';

const COMMANDS_MIN = 2;
const COMMANDS_MAX = 9;
const PAUSE_MAX_MS = 12 * 60_000;
/** How long after a request its copies leave, if it has some. */
const COPY_MAX_MS = 3_000;
const COPIED_SHARE = 0.25;
const SENT_LATER_SHARE = 0.1;

/** What a client does at one point of its life. */
export interface Step {
  /** From 1, in the whole story. */
  readonly number: number;
  readonly action: Command | Errand;
  readonly idempotencyKey: string;
  /** How long the client waits before. */
  readonly pauseMs: number;
  /** How long after the request a copy of it leaves; null: none does. */
  readonly copyMs: number | null;
  /** How long after the answer the request is sent once more; null: it is not. */
  readonly againMs: number | null;
}

const anyAction: fc.Arbitrary<Command | Errand> = fc.oneof(
  { weight: 3, arbitrary: anyCommand },
  { weight: 2, arbitrary: anyErrand },
);

/**
 * What the clients of a story do: a list of steps for each, all by the seed.
 * @param isAlone each client is the only one of its merchant, and does what a model predicts, soon one after another
 */
export function planOf(seed: number, clients: number, isAlone: boolean): readonly (readonly Step[])[] {
  const random = new SeededRandom(seed);
  let number = 0;
  return Array.from({ length: clients }, () => {
    const numRuns = COMMANDS_MIN + random.below(COMMANDS_MAX - COMMANDS_MIN + 1);
    const actions = fc.sample(isAlone ? anyCommand : anyAction, { numRuns, seed: random.bits() });
    return actions.map((action): Step => {
      number += 1;
      const mayPause = !isAlone;
      return {
        number,
        action,
        idempotencyKey: `key-${random.bits()}`,
        pauseMs: random.pauseMs(mayPause ? PAUSE_MAX_MS : 1),
        copyMs: random.chance(COPIED_SHARE) ? random.pauseMs(COPY_MAX_MS) : null,
        againMs: random.chance(SENT_LATER_SHARE) ? random.pauseMs(mayPause ? PAUSE_MAX_MS : 1) : null,
      };
    });
  });
}
