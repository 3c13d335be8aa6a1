import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Retries } from '../../shared/store/retries.ts';

const failure = (name: string) => Object.assign(new Error(name), { name });

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  ['a failure', 'TimeoutError', 50, 100],
  ['a throttled call', 'ThrottlingException', 1_000, 2_000],
])('%s is followed by a random pause, and a second one by one up to twice as long', async (_, ...facts) => {
  const [name, firstMs, secondMs] = facts;
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const attempt = vi.fn(async () => {
    throw failure(name);
  });
  const failed = expect(new Retries().run(attempt)).rejects.toThrow(name);
  for (const [nth, longestMs] of [firstMs, secondMs].entries()) {
    await vi.advanceTimersByTimeAsync(longestMs / 2 - 1);
    expect(attempt).toHaveBeenCalledTimes(nth + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(attempt).toHaveBeenCalledTimes(nth + 2);
  }
  await failed;
  expect(attempt).toHaveBeenCalledTimes(3);
});

test('a service that keeps failing is soon called once for each call, and again after successes', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const retries = new Retries();
  /** How many attempts a call makes that always fails. */
  const attemptsOfFailure = async () => {
    const attempt = vi.fn(async () => {
      throw failure('InternalServerError');
    });
    const failed = expect(retries.run(attempt)).rejects.toThrow();
    await vi.runAllTimersAsync();
    await failed;
    return attempt.mock.calls.length;
  };
  for (let calls = 0; calls < 25; calls += 1) {
    expect(await attemptsOfFailure()).toBe(3);
  }
  expect(await attemptsOfFailure()).toBe(1);
  for (let calls = 0; calls < 10; calls += 1) {
    await retries.run(async () => undefined);
  }
  expect(await attemptsOfFailure()).toBe(2);
});
