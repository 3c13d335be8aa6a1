import { viewPayout } from '../contract/payout-view.ts';
import { viewSettlement } from '../contract/settlement-view.ts';
import type { Step } from '../domain/event.ts';
import { newId } from '../domain/id.ts';
import type { Money } from '../domain/money.ts';
import type { Payout } from '../domain/payout.ts';
import {
  bangkokDay,
  compareStatement,
  type DayBalance,
  netOf,
  PROVIDER_DEFAULT,
  type Settlement,
  type SettlementOutcome,
  splitNet,
} from '../domain/settlement.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { foldBalance, readBalances, settleBalance } from '../store/balance.ts';
import { type Change, commit } from '../store/commit.ts';
import { announce, type Cause } from '../store/event.ts';
import { insertPayout } from '../store/payout.ts';
import { findSettlement, insertSettlement } from '../store/settlement.ts';
import { takeNumber } from '../store/world.ts';

/** As many days as one transaction can settle, beside what else it writes. */
const DAYS_AT_ONCE_MAX = 90;
/** Two writes for every day that is folded into another one. */
const FOLDS_AT_ONCE = 45;

export interface Statement {
  readonly amount?: Money | undefined;
  readonly provider?: string | undefined;
  /** A day in Asia/Bangkok; by default the day of the merchant's clock. */
  readonly value_date?: string | undefined;
}

export interface Settled {
  readonly outcome: SettlementOutcome;
  readonly actionId: string;
  readonly providerEventId: string;
  readonly payoutId: string | null;
  readonly replayed: boolean;
  readonly changes: readonly Change[];
}

/**
 * Compares a provider's statement with what is unsettled up to a day, and pays out what matches (contract §8).
 * @throws Problem `settlement_exists` where the provider has settled this day with another amount
 */
export async function settleDay(
  cause: Cause & { readonly world: World; readonly nowMs: number },
  statement: Statement,
): Promise<Settled> {
  const { world, nowMs } = cause;
  const provider = statement.provider ?? PROVIDER_DEFAULT;
  const valueDate = statement.value_date ?? bangkokDay(nowMs);
  const [existing, days] = await Promise.all([
    findSettlement(world, provider, valueDate),
    readFewBalances(world, valueDate),
  ]);
  if (existing !== null) {
    return repeat(existing, statement.amount);
  }
  const ids = { actionId: newId('act', nowMs), providerEventId: newId('pev', nowMs) };
  const { takenMinor, restMinor } = splitNet(netOf(days));
  const outcome = compareStatement(takenMinor, statement.amount?.minor);
  if (outcome === 'empty') {
    return { ...ids, outcome, payoutId: null, replayed: false, changes: [] };
  }
  const settlement: Settlement = {
    id: newId('stl', nowMs),
    number: await takeNumber(world, 'settlement'),
    version: 1,
    provider,
    valueDate,
    status: outcome,
    expected: { currency: 'THB', minor: takenMinor },
    stated: statement.amount ?? null,
    payoutId: outcome === 'matched' ? newId('pot', nowMs) : null,
    ...ids,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
  const told: Step<Settlement> = { event: `settlement.${outcome}`, previousStatus: null, after: settlement };
  return {
    ...ids,
    outcome,
    payoutId: settlement.payoutId,
    replayed: false,
    changes: [
      ...insertSettlement(world, settlement),
      ...announce(cause, [told], viewSettlement),
      ...(outcome === 'matched' ? await payOut(cause, settlement, days, restMinor) : []),
    ],
  };
}

/** A payout of a settlement, and the end of the balances that it pays out; what it leaves stays on the last day. */
async function payOut(
  cause: Cause,
  settlement: Settlement,
  days: readonly DayBalance[],
  restMinor: bigint,
): Promise<Change[]> {
  const { world } = cause;
  const payout: Payout = {
    id: String(settlement.payoutId),
    number: await takeNumber(world, 'payout'),
    version: 1,
    settlementId: settlement.id,
    provider: settlement.provider,
    status: 'pending',
    amount: settlement.expected,
    returnReason: null,
    createdAtMs: settlement.createdAtMs,
    updatedAtMs: settlement.createdAtMs,
  };
  return [
    insertPayout(world, payout),
    ...announce(cause, [{ event: 'payout.created', previousStatus: null, after: payout }], viewPayout),
    ...days.map((day) => settleBalance(world, day, day === days.at(-1) ? restMinor : 0n)),
  ];
}

function repeat(existing: Settlement, amount: Money | undefined): Settled {
  const { stated, expected } = existing;
  // A statement without an amount is one of what is expected.
  if ((stated ?? expected).minor !== (amount ?? expected).minor) {
    throw new Problem('settlement_exists');
  }
  const { status: outcome, actionId, providerEventId, payoutId } = existing;
  return { outcome, actionId, providerEventId, payoutId, replayed: true, changes: [] };
}

/** The balances up to a day, the oldest of them folded together where they are more than one transaction can settle. */
async function readFewBalances(world: World, untilDay: string): Promise<DayBalance[]> {
  for (;;) {
    const days = await readBalances(world, untilDay);
    const target = days[FOLDS_AT_ONCE];
    if (days.length <= DAYS_AT_ONCE_MAX || target === undefined) {
      return days;
    }
    // Every change of the target is one: DynamoDB takes an item once per transaction.
    for (const day of days.slice(0, FOLDS_AT_ONCE)) {
      await commit(foldBalance(world, day, target.day));
    }
  }
}
