import { inspect } from 'node:util';
import { DifferentialCalls, movedTo, prefixOf } from './differential-calls.ts';
import { type AnswerDifference, ModelComparison } from './differential-comparison.ts';
import type { DifferentialEngine } from './differential-engines.ts';
import { shapesOf } from './differential-shapes.ts';
import type { StoreCall } from './model-store.ts';
import { SeededRandom } from './seeded-random.ts';

type Engines = readonly DifferentialEngine[];

/** Calls, and how the last one was answered in two ways. */
interface DifferentCalls {
  readonly calls: readonly StoreCall[];
  readonly differences: readonly AnswerDifference[];
}

/** So many calls are made again to shorten a sequence. */
const REPEATED_MAX = 5_000;
const SHOWN = { depth: null, breakLength: Number.POSITIVE_INFINITY, compact: true, maxStringLength: 200 };
const ANSWER_MAX_CHARS = 2_000;

/**
 * Makes the random calls of a seed, on the model and on the engines.
 * @returns how many were made, and how many of them the model refused
 * @throws Error where a call is answered in two ways: with the fewest calls that show it
 */
export async function runSequence(
  seed: number,
  length: number,
  engines: Engines,
): Promise<{ readonly calls: number; readonly refused: number }> {
  const source = new DifferentialCalls(new SeededRandom(seed), prefixOf(seed));
  const comparison = new ModelComparison(engines);
  const calls: StoreCall[] = [];
  let refused = 0;
  while (calls.length < length) {
    const call = source.next();
    calls.push(call);
    const { isRefused, lastKey, differences } = await comparison.make(call);
    if (differences.length > 0) {
      const shortest = await shorten({ calls, differences }, engines);
      throw new Error(`DIFFERENTIAL_SEED=${seed}, call ${calls.length} of its sequence: ${tell(shortest)}`);
    }
    refused += isRefused ? 1 : 0;
    source.goOn(call, lastKey);
  }
  return { calls: calls.length, refused };
}

/** The shapes of the calls that `runSequence` makes. */
export async function shapesIn(seed: number, length: number): Promise<readonly string[]> {
  const source = new DifferentialCalls(new SeededRandom(seed), prefixOf(seed));
  const model = new ModelComparison([]);
  const shapes: string[] = [];
  for (let calls = 0; calls < length; calls += 1) {
    const call = source.next();
    shapes.push(...shapesOf(call));
    source.goOn(call, (await model.make(call)).lastKey);
  }
  return shapes;
}

/** As few calls as still show a difference: leaves out ever smaller parts, until none can be left out. */
async function shorten(different: DifferentCalls, engines: Engines): Promise<DifferentCalls> {
  const [{ engine: name } = { engine: '' }] = different.differences;
  const shown = engines.filter((engine) => engine.name === name);
  let [copies, made] = [0, 0];
  const without = async (
    { calls }: DifferentCalls,
    isLeftOut: (call: StoreCall, index: number) => boolean,
  ) => {
    const rest = calls.filter((call, index) => index === calls.length - 1 || !isLeftOut(call, index));
    copies += 1;
    made += rest.length;
    return repeat(rest, copies, shown);
  };
  // What reads has no effect.
  let best =
    (await without(different, ({ operation }) => /^(Get|BatchGet|Query)/.test(operation))) ?? different;
  for (let size = Math.ceil(best.calls.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best.calls.length - 1 && made < REPEATED_MAX; ) {
      const end = from + size;
      const shorter = await without(best, (_, index) => from <= index && index < end);
      best = shorter ?? best;
      from = shorter === null ? end : from;
    }
  }
  // The other engine may answer as the model does.
  return (await repeat(best.calls, copies + 1, engines)) ?? best;
}

/** Makes calls again, in partitions of a copy that nothing is in yet. */
async function repeat(
  calls: readonly StoreCall[],
  copy: number,
  engines: Engines,
): Promise<DifferentCalls | null> {
  const comparison = new ModelComparison(engines);
  for (const [index, call] of calls.entries()) {
    const { differences } = await comparison.make(movedTo(copy, call));
    if (differences.length > 0) {
      return { differences, calls: calls.slice(0, index + 1) };
    }
  }
  return null;
}

function tell({ calls, differences }: DifferentCalls): string {
  const answerOf = (text: string) =>
    text.length > ANSWER_MAX_CHARS ? `${text.slice(0, ANSWER_MAX_CHARS)} …` : text;
  return [
    `the model and ${differences.map(({ engine }) => engine).join(' and ')} answer the last of these calls in two ways`,
    ...calls.map(({ operation, input }) => `  ${operation} ${inspect(input, SHOWN)}`),
    ...differences.flatMap(({ engine, modelled, real }) => [
      `the model:\n  ${answerOf(modelled)}`,
      `${engine}:\n  ${answerOf(real)}`,
    ]),
  ].join('\n');
}
