import { COUNTED_AS, type DayBalance, isSettled } from '../../domain/balance.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { ALWAYS, queryPartition, type StoredItem, update } from '../table/item.ts';
import { balancesPk } from '../table/keys.ts';

/**
 * Adds to a day's unsettled balance and its statistics, which are attributes of the same item. Not idempotent: another write of the transaction must prevent a repetition.
 * @param condition by default one that always holds: the first addition creates the day
 */
export function addUnsettled(
  world: World,
  { day, paidMinor, refundedMinor, counted = {} }: DayBalance,
  condition = ALWAYS,
): Write {
  const added = [
    ['paidMinor', paidMinor],
    ['refundedMinor', refundedMinor],
    ...Object.entries(counted).flatMap(([of, { count, minor }]) => [
      [`${of}Count`, count] as const,
      [`${of}Minor`, minor] as const,
    ]),
  ] as const;
  return update(
    { pk: balancesPk(world), sk: day },
    `ADD ${added.map(([name]) => `${name} :${name}`).join(', ')}`,
    { condition, values: Object.fromEntries(added.map(([name, value]) => [`:${name}`, value])) },
  );
}

/** The unsettled balances up to a day (YYYY-MM-DD, inclusive), oldest first: a settled day has none. */
export async function readBalances(world: World, untilDay: string): Promise<DayBalance[]> {
  const items = await queryPartition(balancesPk(world), ['sk <= :sk', untilDay], 'read balances');
  const balances = items.map((item) => ({
    day: String(item.sk),
    paidMinor: minorOf(item, 'paidMinor'),
    refundedMinor: minorOf(item, 'refundedMinor'),
  }));
  return balances.filter((balance) => !isSettled(balance));
}

/** The statistics of the days from one to another (YYYY-MM-DD, inclusive) on which something was counted. */
export async function readStatistics(
  world: World,
  from: string,
  to: string,
): Promise<Required<Pick<DayBalance, 'day' | 'counted'>>[]> {
  const items = await queryPartition(balancesPk(world), ['sk >= :sk', from]);
  return items
    .filter(({ sk }) => String(sk) <= to)
    .map((item) => {
      const counted = COUNTED_AS.filter((of) => item[`${of}Count`] !== undefined).map((of) => [
        of,
        { count: Number(item[`${of}Count`]), minor: minorOf(item, `${of}Minor`) },
      ]);
      return { day: String(item.sk), counted: Object.fromEntries(counted) };
    });
}

/** The client reads integers beyond the safe range as bigint. */
function minorOf(item: StoredItem, name: string): bigint {
  return BigInt(item[name] as number | bigint);
}

/**
 * Settles a day's balance, if nothing was added to it since it was read. A day without a balance reads as zero. The
 * item stays, for its statistics.
 * @param restMinor what stays unsettled where one settlement cannot take everything, in minor units
 */
export function settleBalance(
  world: World,
  { day, paidMinor, refundedMinor }: DayBalance,
  restMinor = 0n,
): Write {
  const key = { pk: balancesPk(world), sk: day };
  const asRead = 'paidMinor = :paid AND refundedMinor = :refunded';
  const balance = { day, paidMinor, refundedMinor };
  return update(key, 'SET paidMinor = :rest, refundedMinor = :none', {
    condition: isSettled(balance) ? `attribute_not_exists(pk) OR (${asRead})` : asRead,
    values: { ':paid': paidMinor, ':refunded': refundedMinor, ':rest': restMinor, ':none': 0 },
  });
}

/** Moves a day's balance into a later day, to settle both with fewer writes: a transaction holds at most 100. */
export function foldBalance(world: World, from: DayBalance, into: string): Write[] {
  return [settleBalance(world, from), addUnsettled(world, { ...from, day: into }, 'attribute_exists(pk)')];
}
