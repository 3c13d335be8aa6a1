import { BALANCE_CURRENCY, type BalanceShard, bangkokDay, byDay, netOf } from '../domain/balance.ts';
import type { Change } from '../domain/change.ts';
import { DAY_MS } from '../domain/clock.ts';
import { newId } from '../domain/id.ts';
import { type Money, minorIn } from '../domain/money.ts';
import { createPayout } from '../domain/payout.ts';
import { afterOf } from '../domain/resource-change.ts';
import {
  compareStatement,
  createSettlement,
  PROVIDER_DEFAULT,
  type Settlement,
  type SettlementOutcome,
  splitNet,
} from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { foldBalance, readBalances } from '../store/money/balance.ts';
import { findSettlement } from '../store/money/settlement.ts';
import { commit } from '../store/table/commit.ts';
import { balancePks } from '../store/table/keys.ts';
import { waitForMoveEnd } from '../store/worlds/clock-move.ts';
import { takeNumber } from '../store/worlds/world.ts';

/** The most balances that one transaction can settle, beside its other writes. */
const BALANCES_AT_ONCE_MAX = 90;
/** How many of the oldest ones are folded into one when there are too many. */
const FOLDS_AT_ONCE = 45;

export interface Statement {
  readonly amount?: Money | undefined;
  readonly provider?: string | undefined;
  /** A day in Asia/Bangkok; by default the day of the merchant's clock. */
  readonly valueDate?: string | undefined;
}

export interface SettlementResult {
  readonly outcome: SettlementOutcome;
  readonly actionId: string;
  readonly providerEventId: string;
  readonly payoutId: string | null;
  readonly replayed: boolean;
  readonly changes: readonly Change[];
}

/**
 * Compares a provider's statement with the unsettled balances up to a day, and pays them out on a match (contract §8).
 * @throws Problem `settlement_exists` if the provider has already settled this day with another amount
 */
export async function settleDay(
  { world, nowMs }: { readonly world: World; readonly nowMs: number },
  statement: Statement,
): Promise<SettlementResult> {
  const provider = statement.provider ?? PROVIDER_DEFAULT;
  const valueDate = statement.valueDate ?? bangkokDay(nowMs);
  await waitForMoveEnd(world);
  const [existing, balances] = await Promise.all([
    findSettlement(world, provider, valueDate),
    readFewBalances(world, valueDate),
  ]);
  if (existing !== null) {
    return repeat(existing, statement.amount);
  }
  const ids = { actionId: newId('act', nowMs), providerEventId: newId('pev', nowMs) };
  const { takenMinor, restMinor } = splitNet(netOf(balances));
  const outcome = compareStatement(takenMinor, statement.amount);
  if (outcome === 'empty') {
    // Both were read concurrently, so the same statement may have been settled in between.
    const since = await findSettlement(world, provider, valueDate);
    if (since !== null) {
      return repeat(since, statement.amount);
    }
    return { ...ids, outcome, payoutId: null, replayed: false, changes: [] };
  }
  const payoutId = outcome === 'matched' ? newId('pot', nowMs) : null;
  const settlement = createSettlement(
    {
      id: newId('stl', nowMs),
      number: await takeNumber(world, 'settlement'),
      provider,
      valueDate,
      status: outcome,
      expected: { currency: BALANCE_CURRENCY, minor: takenMinor },
      stated: statement.amount ?? null,
      payoutId,
      ...ids,
    },
    nowMs,
  );
  if (payoutId === null) {
    return { ...ids, outcome, payoutId, replayed: false, changes: [settlement] };
  }
  const payout = createPayout(
    afterOf(settlement),
    { id: payoutId, number: await takeNumber(world, 'payout') },
    withRecentDays(world, balances, nowMs, valueDate),
    restMinor,
  );
  return { ...ids, outcome, payoutId, replayed: false, changes: [settlement, payout] };
}

function repeat(existing: Settlement, amount: Money | undefined): SettlementResult {
  const { stated, expected } = existing;
  // A statement without an amount states the expected one.
  const was = stated ?? expected;
  if (was.minor !== minorIn(was.currency, amount ?? expected)) {
    throw new Problem('settlement_exists', { details: { settled_minor: was.minor } });
  }
  const { status: outcome, actionId, providerEventId, payoutId } = existing;
  return { outcome, actionId, providerEventId, payoutId, replayed: true, changes: [] };
}

/**
 * Adds what has no balance, but to which money may be added before the commit, so that the commit is conditional on that
 * too.
 */
function withRecentDays(
  world: World,
  balances: readonly BalanceShard[],
  nowMs: number,
  untilDay: string,
): readonly BalanceShard[] {
  const recent = [nowMs - DAY_MS, nowMs].map(bangkokDay).filter((day) => day <= untilDay);
  const empty = recent.flatMap((day) =>
    balancePks(world)
      .map((_, shard) => ({ day, shard, paidMinor: 0n, refundedMinor: 0n }))
      .filter(({ shard }) => !balances.some((other) => other.day === day && other.shard === shard)),
  );
  return [...balances, ...empty].toSorted(byDay);
}

/** The balances up to a day. The oldest are folded into one if there are more than one transaction can settle. */
async function readFewBalances(world: World, untilDay: string): Promise<BalanceShard[]> {
  for (;;) {
    const balances = await readBalances(world, untilDay);
    const target = balances[FOLDS_AT_ONCE];
    if (balances.length <= BALANCES_AT_ONCE_MAX || target === undefined) {
      return balances;
    }
    // One transaction for each, since DynamoDB allows an item, here the target, only once in a transaction.
    for (const balance of balances.slice(0, FOLDS_AT_ONCE)) {
      await commit(foldBalance(world, balance, target));
    }
  }
}
