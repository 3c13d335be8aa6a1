// @module-tag nightly
import { afterAll, describe, expect, inject, test } from 'vitest';
import { givenNumber } from '../../support/tools/given-number.ts';
import { Machines } from '../chaos/machines.ts';
import { check, type Judged } from './checker.ts';
import { falsify } from './falsified-histories.ts';
import { MODES, type Mode } from './modes.ts';
import { openSlots, record } from './record.ts';
import type { Recorded, Recording } from './recording.ts';

/** How long each mode is recorded, in seconds. A longer recording finds more. */
const SECONDS = givenNumber('LINEARIZABILITY_SECONDS', 8);
/** Each mode goes on until it has so many histories. */
const HISTORIES = givenNumber('LINEARIZABILITY_HISTORIES', 8);
/** The seed: it repeats the choice of clients, requests and faults. */
const SEED = givenNumber('LINEARIZABILITY_SEED', Math.floor(Math.random() * 1_000_000));
/** One mode alone. */
const MODE = process.env.LINEARIZABILITY_MODE;
/** A folder in which recordings are kept. */
const KEPT_IN = process.env.LINEARIZABILITY_KEPT_IN;
/** For the last histories and the checks. */
const AFTER_MS = 600_000;
const MS_PER_HISTORY = 20_000;
const TIMEOUT_MS = SECONDS * 1_000 + HISTORIES * MS_PER_HISTORY + AFTER_MS;

/** Not every history has the operations that a lie changes: then more are recorded. */
const MORE_ROUNDS_MAX = 5;

const modes = (Object.keys(MODES) as Mode[]).filter((mode) => MODE === undefined || mode === MODE);

if (modes.length === 0) {
  throw new Error(`LINEARIZABILITY_MODE takes one of: ${Object.keys(MODES).join(', ')}.`);
}

const checker = inject('linearizabilityChecker');

describe.skipIf(checker === null)(
  'every response can be explained by requests that take effect one by one',
  () => {
    let quiet: Recorded[] = [];
    let machines: Machines | null = null;
    let slots: Awaited<ReturnType<typeof openSlots>> = [];

    /** The modes with one host share it: starting takes longer than recording. */
    const ready = async (hosts: number): Promise<Machines> => {
      if (machines?.addresses.length !== hosts) {
        await machines?.stop();
        machines = await Machines.start(hosts);
        slots = await openSlots(machines);
      }
      return machines;
    };

    afterAll(() => machines?.stop());

    test.for(modes)('with and without faults: %s', { timeout: TIMEOUT_MS }, async (mode, { task }) => {
      console.log(`linearizability, ${mode}: LINEARIZABILITY_SEED=${SEED} has the same plan`);
      const used = await ready(MODES[mode].hosts);
      const faultsBefore = used.faults.length;
      const recording = await record(mode, { seconds: SECONDS, histories: HISTORIES }, SEED, used, slots);
      if (mode === 'quiet') {
        quiet = recording.operations;
      }
      const judged = await check(String(checker), recording.operations, keptAs(mode));
      task.meta.figures = figuresOf(mode, recording, judged, used.faults.length - faultsBefore);
    });

    test.skipIf(!modes.includes('quiet'))('the checker finds each lie', { timeout: TIMEOUT_MS }, async () => {
      let lies = falsify(quiet);
      for (let round = 1; round <= MORE_ROUNDS_MAX && lies.some(isImpossible); round += 1) {
        const used = await ready(1);
        const more = await record('quiet', { seconds: 0, histories: HISTORIES }, SEED + round, used, slots);
        const others = falsify(more.operations);
        lies = lies.map((lie, index) => (isImpossible(lie) ? (others[index] ?? lie) : lie));
      }
      expect(lies.filter(isImpossible)).toEqual([]);
      const operations = lies.flatMap((lie) => lie.operations ?? []);
      const { judgements } = await check(String(checker), operations, { show: 0 });
      const unnoticed = judgements.filter(({ verdict }) => verdict !== 'illegal');
      expect(unnoticed.map(({ history }) => history)).toEqual([]);
      expect(judgements).toHaveLength(lies.length);
    });
  },
);

/** Whether no history allowed this lie. */
function isImpossible({ operations }: { readonly operations: readonly Recorded[] | null }): boolean {
  return operations === null;
}

function keptAs(mode: Mode) {
  return KEPT_IN === undefined ? {} : { file: `${KEPT_IN}/${mode}.jsonl` };
}

/** Fails if a history is not explained, or something else is wrong. */
function figuresOf(
  mode: Mode,
  { operations, counts, inspection }: Recording,
  { judgements, explanation }: Judged,
  faults: number,
): Record<string, number> {
  const notLegal = judgements.filter(({ verdict }) => verdict !== 'legal');
  if (notLegal.length > 0) {
    console.log(explanation);
  }
  expect(notLegal).toEqual([]);
  const checks = inspection.end();
  expect(mode === 'quiet' || faults > 0).toBe(true);
  return {
    [`${mode}: histories that can be explained`]: judgements.length,
    [`${mode}: operations in them`]: operations.length,
    [`${mode}: requests that clients gave up`]: counts.unknowns,
    [`${mode}: requests`]: counts.tries,
    [`${mode}: faults`]: faults,
    [`${mode}: events, without a gap and in order`]: counts.events,
    [`${mode}: checks beside the models`]: checks,
  };
}
