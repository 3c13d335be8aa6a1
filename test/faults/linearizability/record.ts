import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../../shared/contract/operations.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import { Dice } from '../chaos/dice.ts';
import type { Machines, Plan } from '../chaos/machines.ts';
import { Inspection } from '../model/invariants.ts';
import { inspectEvents } from './events.ts';
import { History, type Slot } from './history.ts';
import { MODES, type Mode } from './modes.ts';
import { historiesIn, type Model, newRecording, type Recording } from './recording.ts';
import { recordBank } from './stories/bank.ts';
import { recordClock } from './stories/clock.ts';
import { recordEndpoint } from './stories/endpoint.ts';
import { recordIdempotency } from './stories/idempotency.ts';
import { recordPayment } from './stories/payment.ts';
import { recordPaymentLink } from './stories/payment-link.ts';

/** How many merchants have a history at the same time. */
const SLOTS = 6;
/** Between the parts of a plan. */
const PAUSE_MS = 100;
/** Faults are planned for so long at most. */
const PART_MAX_MS = 30_000;

const STORIES: Readonly<Record<Model, (history: History) => Promise<void>>> = {
  payment: recordPayment,
  bank: recordBank,
  'payment link': recordPaymentLink,
  idempotency: recordIdempotency,
  clock: recordClock,
  endpoint: recordEndpoint,
};
/** The order in which histories begin: a payment has the most that can go wrong. */
const TURNS: readonly Model[] = [
  'payment',
  'bank',
  'payment link',
  'idempotency',
  'clock',
  'endpoint',
  'payment',
  'payment',
];
/** Merchants whose worlds are not purged meanwhile, and in which something happens. */
const HAS_EVENTS: readonly Model[] = ['payment', 'bank', 'payment link'];

export interface Length {
  readonly seconds: number;
  /** The recording goes on until there are so many. */
  readonly histories: number;
}

/** Makes keys of so many merchants as have histories at the same time. */
export async function openSlots(machines: Machines): Promise<Omit<Slot, 'timeoutMs'>[]> {
  const addresses = machines.addresses as [string];
  const open = async (_: unknown, index: number) => {
    const args = ['--merchant', `slot-${index}`, '--preset', 'owner', '--json', '--dir', machines.serviceDir];
    const { stdout } = await runCommand(process.execPath, [
      'infra/pg/pg.ts',
      'admin',
      'keys',
      'create',
      ...args,
    ]);
    return { secret: String(JSON.parse(stdout).key), addresses };
  };
  return Promise.all(Array.from({ length: SLOTS }, open));
}

/** Records histories, one of each slot at a time, while the faults of a mode happen. */
export async function record(
  mode: Mode,
  { seconds, histories }: Length,
  seed: number,
  machines: Machines,
  slots: readonly Omit<Slot, 'timeoutMs'>[],
): Promise<Recording> {
  const { timeoutMs } = MODES[mode];
  const recording = newRecording(new Inspection());
  const endsAtMs = Date.now() + seconds * 1_000;
  let begun = 0;
  let failure: unknown;
  const isOver = () =>
    failure !== undefined || (Date.now() >= endsAtMs && historiesIn(recording) >= histories);
  const recordIn = async (slot: Slot) => {
    while (!isOver()) {
      const model = TURNS[begun % TURNS.length] as Model;
      begun += 1;
      await recordOne(
        new History(`${mode} ${seed} ${model} ${begun}`, model, seed, slot, recording),
        model,
        recording,
      );
    }
  };
  const breakAll = async () => {
    const partMs = Math.min(seconds * 1_000, PART_MAX_MS);
    for (let part = 1; !isOver(); part += 1) {
      const diceOf = (use: string) => new Dice(seed, `${mode} ${part} ${use}`);
      await machines.breakUntil(Date.now() + partMs, diceOf, planFor(mode, partMs));
      await Promise.race([recorded, sleep(PAUSE_MS)]);
    }
  };
  const noteFailure = (error: unknown) => {
    failure ??= error;
  };
  const recorded = Promise.all(slots.map((slot) => recordIn({ ...slot, timeoutMs }).catch(noteFailure)));
  await Promise.all([recorded, breakAll().catch(noteFailure)]);
  if (failure !== undefined) {
    throw failure;
  }
  return recording;
}

/** In a short time, a long pause would leave none for anything else. */
function planFor(mode: Mode, ms: number): Plan {
  const { plan } = MODES[mode];
  const isShort = plan.ofHosts !== null && ms < 2 * plan.ofHosts.longPause[1];
  return isShort ? { ...plan, ofHosts: { ...plan.ofHosts, longPauses: 0 } } : plan;
}

async function recordOne(history: History, model: Model, recording: Recording): Promise<void> {
  await history.call(operations.purgeTestData, { body: {} });
  await STORIES[model](history);
  recording.operations.push(...history.operations);
  recording.histories[model] += 1;
  if (HAS_EVENTS.includes(model)) {
    recording.counts.events += await inspectEvents(history);
  }
  await history.drain();
}
