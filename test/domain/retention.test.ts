import { expect, it } from 'vitest';
import { endOfKeeping } from '../../shared/domain/retention.ts';

it('what is kept for some days ends so many days of whole seconds later', () => {
  const nowMs = Date.UTC(2026, 10, 2, 3, 4, 5, 678);
  expect(endOfKeeping(7, nowMs)).toBe(Date.UTC(2026, 10, 9, 3, 4, 5) / 1_000);
  expect(endOfKeeping(0, nowMs)).toBe(Math.floor(nowMs / 1_000));
});
