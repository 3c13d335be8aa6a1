import { type DayBalance, toDayBalance } from '../domain/balance.ts';
import type { Money } from '../domain/money.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { queryPartition } from './item.ts';
import { balancesPk } from './keys.ts';

/** Adds an amount to the unsettled balance of the instant's day, in the transaction that moved the money. */
export function addToBalance(world: World, atMs: number, amount: Money): Write {
  return addUnsettled(world, toDayBalance(atMs, amount));
}

/** Adds to a day's unsettled balance. Not idempotent: another write of the transaction must prevent a repetition. */
export function addUnsettled(world: World, { day, ...amounts }: DayBalance): Write {
  return {
    update: {
      key: { pk: balancesPk(world), sk: day },
      expression: 'ADD paidMinor :paid, refundedMinor :refunded',
      // Always true: the first addition creates the day.
      condition: 'attribute_exists(pk) OR attribute_not_exists(pk)',
      values: { ':paid': amounts.paidMinor, ':refunded': amounts.refundedMinor },
    },
  };
}

/** The unsettled balances up to a day (YYYY-MM-DD, inclusive), oldest first. */
export async function readBalances(world: World, untilDay: string): Promise<DayBalance[]> {
  const items = await queryPartition(balancesPk(world), { until: untilDay });
  return items.map(({ sk, paidMinor, refundedMinor }) => ({
    day: String(sk),
    // The document client reads integers beyond the safe range as bigint.
    paidMinor: BigInt(paidMinor as number | bigint),
    refundedMinor: BigInt(refundedMinor as number | bigint),
  }));
}

/**
 * Settles a day's balance, if nothing was added to it since it was read. A day without a balance reads as zero.
 * @param restMinor what stays unsettled where one settlement cannot take everything, in minor units
 */
export function settleBalance(
  world: World,
  { day, paidMinor, refundedMinor }: DayBalance,
  restMinor = 0n,
): Write {
  const key = { pk: balancesPk(world), sk: day };
  const asRead = 'paidMinor = :paid AND refundedMinor = :refunded';
  const isZero = paidMinor === 0n && refundedMinor === 0n;
  const condition = isZero ? `attribute_not_exists(pk) OR (${asRead})` : asRead;
  const values = { ':paid': paidMinor, ':refunded': refundedMinor };
  if (restMinor === 0n) {
    return { remove: { key, condition, values } };
  }
  const expression = 'SET paidMinor = :rest, refundedMinor = :none';
  return { update: { key, expression, condition, values: { ...values, ':rest': restMinor, ':none': 0 } } };
}

/** Moves a day's balance into a later day, to settle both with fewer writes: a transaction holds at most 100. */
export function foldBalance(world: World, from: DayBalance, into: string): Write[] {
  return [
    settleBalance(world, from),
    {
      update: {
        key: { pk: balancesPk(world), sk: into },
        expression: 'ADD paidMinor :paid, refundedMinor :refunded',
        condition: 'attribute_exists(pk)',
        values: { ':paid': from.paidMinor, ':refunded': from.refundedMinor },
      },
    },
  ];
}
