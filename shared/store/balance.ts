import { bangkokDay, type DayBalance } from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { queryPartition } from './item.ts';
import { balancesPk } from './keys.ts';

/** Adds to what is unsettled of the day of an instant: in the transaction of the payment or refund that succeeded. */
export function addToBalance(world: World, atMs: number, amounts: Omit<DayBalance, 'day'>): Change {
  return addUnsettled(world, { day: bangkokDay(atMs), ...amounts });
}

/** Adds to what is unsettled of a day. It adds as often as it is written: something in its transaction must be new. */
export function addUnsettled(world: World, { day, ...amounts }: DayBalance): Change {
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
    paidMinor: Number(paidMinor),
    refundedMinor: Number(refundedMinor),
  }));
}

/** Takes a day's balance into a settlement, if nothing was added to it since it was read. */
export function settleBalance(world: World, { day, paidMinor, refundedMinor }: DayBalance): Change {
  return {
    remove: {
      key: { pk: balancesPk(world), sk: day },
      condition: 'paidMinor = :paid AND refundedMinor = :refunded',
      values: { ':paid': paidMinor, ':refunded': refundedMinor },
    },
  };
}

/** Moves a day's balance into a later day that is being settled with it: a transaction holds 100 writes. */
export function foldBalance(world: World, from: DayBalance, into: string): Change[] {
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
