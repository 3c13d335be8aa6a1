import { SHARES_TOTAL } from '../../shared/contract/testkit/scenarios.ts';
import { MINUTE_MS, SECOND_MS } from '../../shared/domain/clock.ts';
import { DELAY_SECONDS_MAX } from '../../shared/domain/payment.ts';
import { roll } from './dice.ts';

const LATE_MINUTES_MAX = 120;
const MINUTE_SECONDS = MINUTE_MS / SECOND_MS;
/** No round time: a step that moves the clock by whole minutes is never about as long as a delay. */
const ODD_SECONDS = 30;

/** The first kind of weather that strikes, or null. @param key what it would strike */
export function strikeOf<Kind extends string>(
  kinds: readonly Kind[],
  shares: { readonly [Each in Kind]?: number | undefined },
  seed: number,
  key: string,
): Kind | null {
  return kinds.find((kind) => roll(seed, key, kind) * SHARES_TOTAL < (shares[kind] ?? 0)) ?? null;
}

/** How long a late outcome takes, on the world's clock, beside its own delay. */
export function lateSeconds(seed: number, key: string, ownSeconds: number): number {
  const minutes = Math.floor(roll(seed, key, 'how late') * LATE_MINUTES_MAX);
  return Math.min(ownSeconds + minutes * MINUTE_SECONDS + ODD_SECONDS, DELAY_SECONDS_MAX);
}
