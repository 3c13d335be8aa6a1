import { type DayBalance, toDayBalance } from '../domain/balance.ts';
import type { Money } from '../domain/money.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { queryPartition } from './item.ts';
import { balancesPk } from './keys.ts';

/** Adds to what is unsettled of the day of an instant, in the transaction of what the money came from. */
export function addToBalance(world: World, atMs: number, amount: Money): Write {
  return addUnsettled(world, toDayBalance(atMs, amount));
}

/** Adds to what is unsettled of a day. It adds as often as it is written: something in its transaction must be new. */
export function addUnsettled(world: World, { day, ...amounts }: DayBalance): Write {
  return {
    update: {
      key: { pk: balancesPk(world), sk: day },
      expression: 'ADD paidMinor :paid, refundedMinor :refunded',
      // Always true: a day begins with what is added to it first.
      condition: 'attribute_exists(pk) OR attribute_not_exists(pk)',
      values: { ':paid': amounts.paidMinor, ':refunded': amounts.refundedMinor },
    },
  };
}

/** What is unsettled, day by day, up to a day. */
export async function readBalances(world: World, untilDay: string): Promise<DayBalance[]> {
  const items = await queryPartition(balancesPk(world), untilDay);
  return items.map(({ sk, paidMinor, refundedMinor }) => ({
    day: String(sk),
    // The document client reads what is beyond a number as a bigint.
    paidMinor: BigInt(paidMinor as number | bigint),
    refundedMinor: BigInt(refundedMinor as number | bigint),
  }));
}

/**
 * Takes a day's balance into a settlement, if nothing was added to it since it was read.
 * @param restMinor what stays behind where one settlement cannot take everything
 */
export function settleBalance(
  world: World,
  { day, paidMinor, refundedMinor }: DayBalance,
  restMinor = 0n,
): Write {
  const key = { pk: balancesPk(world), sk: day };
  const condition = 'paidMinor = :paid AND refundedMinor = :refunded';
  const values = { ':paid': paidMinor, ':refunded': refundedMinor };
  if (restMinor === 0n) {
    return { remove: { key, condition, values } };
  }
  const expression = 'SET paidMinor = :rest, refundedMinor = :none';
  return { update: { key, expression, condition, values: { ...values, ':rest': restMinor, ':none': 0 } } };
}

/** Moves a day's balance into a later day that is being settled with it: a transaction holds 100 writes. */
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
