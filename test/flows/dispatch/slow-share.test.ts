import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SlowShare } from '../../../shared/flows/dispatch/slow-share.ts';

const SLOW_AFTER_MS = 250;
const SLOW_MAX = 16;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Of = ConstructorParameters<typeof SlowShare>[0];

/** An attempt that ends when the test lets it go, or by its signal. */
function attempt(of: Of) {
  const share = new SlowShare(of);
  const letGo = Promise.withResolvers<string>();
  const done = share.during((signal) => {
    signal.addEventListener('abort', () => letGo.resolve('ended'));
    return letGo.promise;
  });
  return { share, done, letGo: () => letGo.resolve('let go') };
}

const ONE: Of = { merchant: 'one', mode: 'test' };

function slowAttempts(count: number, of = ONE) {
  const made = Array.from({ length: count }, () => attempt(of));
  vi.advanceTimersByTime(SLOW_AFTER_MS);
  return made;
}

async function letGo(made: readonly ReturnType<typeof attempt>[]): Promise<string[]> {
  for (const each of made) {
    each.letGo();
  }
  return Promise.all(made.map(({ done }) => done));
}

const usedUp = (made: readonly ReturnType<typeof attempt>[]) =>
  made.filter(({ share }) => share.isUsedUp).length;

test('only so many slow attempts of a merchant are waited for; further ones end', async () => {
  const made = slowAttempts(SLOW_MAX);
  expect(usedUp(made)).toBe(0);
  const more = slowAttempts(3);
  expect(usedUp(more)).toBe(3);
  expect(await Promise.all(more.map(({ done }) => done))).toEqual(Array(3).fill('ended'));
  expect(await letGo(made)).toEqual(Array(SLOW_MAX).fill('let go'));
});

test('neither another merchant nor another mode shares what a merchant uses up', async () => {
  const made = slowAttempts(SLOW_MAX);
  const others = [
    ...slowAttempts(SLOW_MAX, { merchant: 'two', mode: 'test' }),
    ...slowAttempts(SLOW_MAX, { merchant: 'one', mode: 'live' }),
  ];
  expect(usedUp(others)).toBe(0);
  await letGo([...made, ...others]);
});

test('attempts that respond in time never count, and what has ended gives its share back', async () => {
  const quick = Array.from({ length: 3 * SLOW_MAX }, () => attempt(ONE));
  vi.advanceTimersByTime(SLOW_AFTER_MS - 1);
  await letGo(quick);
  const first = slowAttempts(SLOW_MAX);
  await letGo(first);
  const second = slowAttempts(SLOW_MAX);
  expect(usedUp([...quick, ...first, ...second])).toBe(0);
  await letGo(second);
});

test('an attempt that fails gives its share back', async () => {
  const failing = Array.from({ length: SLOW_MAX }, () => {
    const held = Promise.withResolvers<void>();
    return { held, done: new SlowShare(ONE).during(() => held.promise) };
  });
  vi.advanceTimersByTime(SLOW_AFTER_MS);
  for (const { held } of failing) {
    held.reject(new Error('reset'));
  }
  await Promise.allSettled(failing.map(({ done }) => done));
  const next = slowAttempts(SLOW_MAX);
  expect(usedUp(next)).toBe(0);
  await letGo(next);
});
