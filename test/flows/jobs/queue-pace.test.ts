import { expect, test } from 'vitest';
import { QueuePace } from '../../../shared/flows/jobs/queue-pace.ts';

const SLOW_MS = 15_000;
const QUICK_MS = 20;

/** Attempts in the pace of a queue, which respond when the test says so. */
function attempts(pace: QueuePace) {
  const started: number[] = [];
  const held: PromiseWithResolvers<boolean>[] = [];
  return {
    started,
    held,
    make: (nth: number) => {
      const { promise, ...its } = Promise.withResolvers<boolean>();
      held[nth] = { promise, ...its };
      return pace.run(() => {
        started.push(nth);
        return promise;
      });
    },
  };
}

test('a queue makes one attempt until the endpoint responds, then the others at once', async () => {
  const pace = new QueuePace();
  const { started, held, make } = attempts(pace);
  const results = [0, 1, 2].map(make);
  await Promise.resolve();
  expect(started).toEqual([0]);
  pace.note({ durationMs: QUICK_MS });
  held[0]?.resolve(true);
  await results[0];
  await expect.poll(() => started).toEqual([0, 1, 2]);
  held[1]?.resolve(true);
  held[2]?.resolve(false);
  expect(await Promise.all(results)).toEqual([true, true, false]);
  expect([pace.isQuick, pace.isHanging]).toEqual([true, false]);
});

test('an endpoint that gave no response in its time gets no further attempt', async () => {
  const pace = new QueuePace();
  const { started, held, make } = attempts(pace);
  const results = [0, 1].map(make);
  pace.note({ durationMs: SLOW_MS, failure: 'timeout' });
  held[0]?.resolve(true);
  expect(await Promise.all(results)).toEqual([true, true]);
  expect(started).toEqual([0]);
  expect(pace.isHanging).toBe(true);
});

test('an endpoint that responds slowly or refuses at once gets the others', async () => {
  for (const said of [{ durationMs: SLOW_MS }, { durationMs: QUICK_MS, failure: 'refused' as const }]) {
    const pace = new QueuePace();
    const { started, held, make } = attempts(pace);
    const results = [0, 1].map(make);
    pace.note(said as Parameters<typeof pace.note>[0]);
    held[0]?.resolve(true);
    await expect.poll(() => started).toEqual([0, 1]);
    held[1]?.resolve(true);
    await Promise.all(results);
    expect(pace.isHanging).toBe(false);
  }
});

test('a first attempt that throws lets the others go', async () => {
  const pace = new QueuePace();
  const { started, held, make } = attempts(pace);
  const [first, second] = [0, 1].map(make);
  held[0]?.reject(new Error('the store is away'));
  await expect(first).rejects.toThrow('the store is away');
  await expect.poll(() => started).toEqual([0, 1]);
  held[1]?.resolve(true);
  expect(await second).toBe(true);
});
