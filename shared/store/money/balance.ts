import {
  addTallies,
  type BalanceShard,
  byDay,
  COUNTED_AS,
  type DayBalance,
  type DayTallies,
  isSettled,
} from '../../domain/balance.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { ALWAYS, queryPartition, type StoredItem, update } from '../table/item.ts';
import { balanceKey, balancePks } from '../table/keys.ts';

/**
 * Adds to a shard of a day's unsettled balance and statistics, which are attributes of the same item. Not idempotent: another write of the transaction must prevent a repetition.
 * @param condition by default one that always holds: the first addition creates the shard
 */
export function addUnsettled(
  world: World,
  { day, shard, paidMinor, refundedMinor, counted = {} }: BalanceShard,
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
    balanceKey(world, day, shard),
    `ADD ${added.map(([name]) => `${name} :${name}`).join(', ')}`,
    { condition, values: Object.fromEntries(added.map(([name, value]) => [`:${name}`, value])) },
  );
}

/** The unsettled balances up to a day (YYYY-MM-DD, inclusive), oldest first: what is settled is left out. */
export async function readBalances(world: World, untilDay: string): Promise<BalanceShard[]> {
  const shards = await Promise.all(
    balancePks(world).map(async (pk, shard) => {
      const items = await queryPartition(pk, ['sk <= :sk', untilDay], 'read balances');
      return items.map((item) => ({
        day: String(item.sk),
        shard,
        paidMinor: minorOf(item, 'paidMinor'),
        refundedMinor: minorOf(item, 'refundedMinor'),
      }));
    }),
  );
  return shards
    .flat()
    .filter((balance) => !isSettled(balance))
    .toSorted(byDay);
}

/** The statistics of the days from one to another (YYYY-MM-DD, inclusive) on which something was counted. */
export async function readStatistics(
  world: World,
  from: string,
  to: string,
): Promise<Required<Pick<DayBalance, 'day' | 'counted'>>[]> {
  const items = await Promise.all(balancePks(world).map((pk) => queryPartition(pk, ['sk >= :sk', from])));
  const ofDays = Map.groupBy(items.flat(), ({ sk }) => String(sk));
  return [...ofDays]
    .filter(([day]) => day <= to)
    .map(([day, shards]) => ({ day, counted: talliesOf(shards) }));
}

function talliesOf(shards: readonly StoredItem[]): DayTallies {
  const counted = COUNTED_AS.flatMap((of) => {
    const tallies = shards
      .filter((item) => item[`${of}Count`] !== undefined)
      .map((item) => ({ count: Number(item[`${of}Count`]), minor: minorOf(item, `${of}Minor`) }));
    return tallies.length === 0 ? [] : [[of, tallies.reduce(addTallies)]];
  });
  return Object.fromEntries(counted);
}

/** The client reads integers beyond the safe range as bigint. */
function minorOf(item: StoredItem, name: string): bigint {
  return BigInt(item[name] as number | bigint);
}

/**
 * Settles a shard of a day's balance, if nothing was added to it since it was read. One without money reads as zero. The
 * item stays, for its statistics.
 * @param restMinor what stays unsettled where one settlement cannot take everything, in minor units
 */
export function settleBalance(
  world: World,
  { day, shard, paidMinor, refundedMinor }: BalanceShard,
  restMinor = 0n,
): Write {
  const asRead = 'paidMinor = :paid AND refundedMinor = :refunded';
  const balance = { day, paidMinor, refundedMinor };
  return update(balanceKey(world, day, shard), 'SET paidMinor = :rest, refundedMinor = :none', {
    condition: isSettled(balance) ? `attribute_not_exists(pk) OR (${asRead})` : asRead,
    values: { ':paid': paidMinor, ':refunded': refundedMinor, ':rest': restMinor, ':none': 0 },
  });
}

/** Moves a balance into a later one, to settle both with fewer writes: a transaction holds at most 100. */
export function foldBalance(
  world: World,
  from: BalanceShard,
  { day, shard }: Pick<BalanceShard, 'day' | 'shard'>,
): Write[] {
  return [settleBalance(world, from), addUnsettled(world, { ...from, day, shard }, 'attribute_exists(pk)')];
}
