import { operations } from '../../shared/contract/operations.ts';
import { forkWorld } from './forks.ts';
import type { Scene } from './scene.ts';

/* What has its time, and what happens beside it. */

const MINUTE_SECONDS = 60;
const SECOND_MS = 1_000;
/** What the first calls of a move of the clock take, and those of a purge with what runners do of its last requests. */
const MOVE_MS = 250;
const PURGE_MS = 400;
const FORK_MS = 200;
/** What a runner takes to be woken and to dispatch. */
const RUN_MS = 800;
/** A tick of the clock, and what a runner takes. */
const TICK_MS = 90_000;
const TOGETHER = ['first', 'second', 'third'];
/** More than run in one transaction. */
const MANY = Array.from({ length: 10 }, (_, nth) => `payment ${nth}`);

async function createPayment(scene: Scene, minutes: number, part: string): Promise<string> {
  const body = { amount: { currency: 'THB', minor: 1_000 }, expires_in_minutes: minutes };
  const { json } = await scene.call(operations.createPayment, { body }, part);
  return String(json.id);
}

/** What happens to half of many payments that end at once, beside a move of the clock past their end. */
const MEANWHILE = {
  paid: [operations.simulatePayment, { outcome: 'succeeded' }],
  noted: [operations.markPaymentHandled, { note: 'seen' }],
  /** Soon after their end. */
  paidLate: [operations.simulatePayment, { outcome: 'succeeded', delay_seconds: 2 * MINUTE_SECONDS }],
} as const;
export type Meanwhile = keyof typeof MEANWHILE;
export const MEANWHILE_KINDS = Object.keys(MEANWHILE) as Meanwhile[];

/**
 * Each payment that nobody paid is over when a move past its end is.
 * @param isFirst what happens has happened before the move, and runners are at work on it
 */
export async function expireTogether(
  scene: Scene,
  { kind, isFirst }: { readonly kind: Meanwhile; readonly isFirst: boolean },
): Promise<void> {
  const ids = await Promise.all(MANY.map((part) => createPayment(scene, 1, part)));
  const faults = scene.faults();
  const [row, body] = MEANWHILE[kind];
  const changes = ids
    .filter((_, nth) => nth % 2 === 0)
    .map(async (id, nth) => {
      await (isFirst || scene.time.pause(scene.pauseMs(MOVE_MS)));
      await scene.call(row, { params: { id }, body }, `change ${nth}`);
    });
  if (isFirst) {
    await Promise.all(changes);
    await scene.time.pause(scene.pauseMs(RUN_MS));
  }
  const [{ status, json }] = await Promise.all([scene.pass(4 * MINUTE_SECONDS, 'move'), ...changes]);
  const { jobs_remaining: left } = (json.shifted ?? {}) as { jobs_remaining?: number };
  if (status === 200 && (left === 0 || scene.faults() === faults)) {
    for (const id of ids.filter((each) => scene.watch.storedStatus(each) === 'created')) {
      scene.watch.break('due-time', `the clock was moved past the end of ${id}, which has not expired`);
    }
  }
}

/** Money that is due before the end of a payment comes before it, in one move past both. */
export async function payBeforeEnd(scene: Scene): Promise<void> {
  const id = await createPayment(scene, 60, 'create');
  const body = { outcome: 'succeeded', delay_seconds: 10 * MINUTE_SECONDS };
  const later = await scene.call(operations.simulatePayment, { params: { id }, body }, 'later');
  const faults = scene.faults();
  const isPromised = later.status === 200 && scene.watch.storedStatus(id) === 'created';
  await scene.pass(120 * MINUTE_SECONDS, 'move');
  const { json } = await scene.call(operations.getPayment, { params: { id } });
  if (isPromised && scene.faults() === faults && json.late === true) {
    scene.watch.break('due-time', `${id} expired before the money that was due before`);
  }
}

/**
 * After a move of the clock, what ends later ends in its time by itself, one after another.
 * @param isQuiet there is no endpoint, whose runner would look for what is due
 */
export async function expireAfterMove(
  scene: Scene,
  { isQuiet }: { readonly isQuiet: boolean },
): Promise<void> {
  await (isQuiet && scene.empty('purge'));
  const faults = scene.faults();
  const ids = [await createPayment(scene, 20, 'first'), await createPayment(scene, 40, 'second')];
  const isOpen = (id: string) => scene.watch.storedStatus(id) === 'created';
  const { status } = await scene.pass(10 * MINUTE_SECONDS, 'move');
  const wereOpen = status === 200 && ids.every(isOpen);
  await scene.time.pause(30 * MINUTE_SECONDS * SECOND_MS + TICK_MS);
  if (wereOpen && scene.faults() === faults && ids.some(isOpen)) {
    scene.watch.break('due-time', 'a payment has not expired by itself after a move of the clock');
  }
  await (isQuiet && scene.openSink('sink'));
}

/** A purge while a slow endpoint keeps events waiting: none of these is sent after it. */
export async function purgeBehindSlow(scene: Scene): Promise<void> {
  const url = `https://slow-${scene.stepNumber}.example.com/hook`;
  const { status, json } = await scene.call(operations.createWebhookEndpoint, { body: { url } }, 'endpoint');
  if (status === 201) {
    scene.shops.learn(url, String(json.secret), scene.time.nowMs, Number.POSITIVE_INFINITY);
    scene.watch.posts.watch(url);
    const params = { id: await createPayment(scene, 60, 'create') };
    for (const outcome of ['pending', 'succeeded']) {
      await scene.call(operations.simulatePayment, { params, body: { outcome } }, outcome);
    }
    await scene.time.pause(scene.pauseMs(PURGE_MS));
    await scene.purge('purge');
  }
}

/** A copy that is made while an endpoint is deleted and events are sent. */
export async function forkBeside(scene: Scene): Promise<void> {
  const url = `https://left-${scene.stepNumber}.example.com/hook`;
  const { json } = await scene.call(operations.createWebhookEndpoint, { body: { url } }, 'endpoint');
  await Promise.all(TOGETHER.map((part) => createPayment(scene, 1, part)));
  const params = { id: String(json.id) };
  const fork = async () => {
    await scene.time.pause(scene.pauseMs(FORK_MS));
    await forkWorld(scene, 'fork');
  };
  await Promise.all([fork(), scene.call(operations.deleteWebhookEndpoint, { params }, 'delete')]);
}

/** Payments that are created while a clock is moved. */
export async function createBesideMove(scene: Scene): Promise<void> {
  const create = async (part: string) => {
    await scene.time.pause(scene.pauseMs(MOVE_MS));
    await createPayment(scene, 15, part);
  };
  await Promise.all([scene.pass(10 * MINUTE_SECONDS, 'move'), ...TOGETHER.map(create)]);
}

/** Purges of an empty world, and of one in which something has just happened, beside what happens there. */
export async function purgeBeside(scene: Scene): Promise<void> {
  await scene.purge('first purge');
  const purge = async (part: string) => {
    await scene.time.pause(scene.pauseMs(PURGE_MS));
    await scene.purge(part);
  };
  const amount = { type: 'fixed', fixed: { currency: 'THB', minor: 1_000 } };
  for (const part of TOGETHER) {
    // Where the clock is ahead, runners note when they run next.
    await scene.pass(1, `${part} move`);
    await Promise.all([
      createPayment(scene, 1, `${part} payment`),
      scene.call(operations.createPaymentLink, { body: { amount } }, `${part} link`),
      purge(`${part} purge`),
    ]);
  }
  const params = { id: await createPayment(scene, 1, 'after') };
  await scene.call(operations.simulatePayment, { params, body: { outcome: 'succeeded' } }, 'pay');
  await purge('last purge');
}
