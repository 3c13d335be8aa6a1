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
/** A tick of the clock, and what a runner takes. */
const TICK_MS = 90_000;
const TOGETHER = ['first', 'second', 'third'];

async function createPayment(scene: Scene, minutes: number, part: string): Promise<string> {
  const body = { amount: { currency: 'THB', minor: 1_000 }, expires_in_minutes: minutes };
  const { json } = await scene.call(operations.createPayment, { body }, part);
  return String(json.id);
}

function pass(scene: Scene, seconds: number, part: string) {
  return scene.call(operations.advanceClock, { body: { seconds } }, part);
}

/** Payments that end at once, of which something changes one: each that nobody paid is over when the move is. */
export async function expireTogether(scene: Scene, { isPaid }: { readonly isPaid: boolean }): Promise<void> {
  const ids = await Promise.all(TOGETHER.map((part) => createPayment(scene, 1, part)));
  const faults = scene.faults();
  const change = async (id: string, part: string) => {
    const params = { id };
    await scene.time.pause(scene.pauseMs(MOVE_MS));
    await (isPaid
      ? scene.call(operations.simulatePayment, { params, body: { outcome: 'succeeded' } }, part)
      : scene.call(operations.markPaymentHandled, { params, body: { note: 'seen' } }, part));
  };
  const [first = '', second = ''] = ids;
  const [{ status, json }] = await Promise.all([
    pass(scene, MINUTE_SECONDS + 1, 'move'),
    change(first, 'change'),
    change(second, 'other change'),
  ]);
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
  await pass(scene, 120 * MINUTE_SECONDS, 'move');
  const { json } = await scene.call(operations.getPayment, { params: { id } });
  if (isPromised && scene.faults() === faults && json.late === true) {
    scene.watch.break('due-time', `${id} expired before the money that was due before`);
  }
}

/** After a move of the clock, what ends later ends in its time by itself. */
export async function expireAfterMove(scene: Scene): Promise<void> {
  const faults = scene.faults();
  const ids = [await createPayment(scene, 2, 'first'), await createPayment(scene, 4, 'second')];
  const { status } = await pass(scene, MINUTE_SECONDS, 'move');
  const isOpen = (id: string) => scene.watch.storedStatus(id) === 'created';
  const wereOpen = status === 200 && ids.every(isOpen);
  await scene.time.pause(3 * MINUTE_SECONDS * SECOND_MS + TICK_MS);
  if (wereOpen && scene.faults() === faults && ids.some(isOpen)) {
    scene.watch.break('due-time', 'a payment has not expired by itself after a move of the clock');
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
  await Promise.all([pass(scene, 10 * MINUTE_SECONDS, 'move'), ...TOGETHER.map(create)]);
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
