import { toTimestamp } from '../domain/clock.ts';
import type { Money } from '../domain/money.ts';

/** In the order of the interface: a stored map comes back in any order. */
export function viewMoney({ currency, minor }: Money): Money {
  return { currency, minor };
}

export function optionalTimestamp(epochMs: number | null): string | null {
  return epochMs === null ? null : toTimestamp(epochMs);
}
