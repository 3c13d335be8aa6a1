import { HOUR_MS } from './clock.ts';
import type { Money } from './money.ts';

export const SETTLEMENT_OUTCOMES = ['matched', 'mismatched', 'empty'] as const;
export type SettlementOutcome = (typeof SETTLEMENT_OUTCOMES)[number];
/** Where there was nothing to settle, there is no settlement. */
export const SETTLEMENT_STATUSES = ['matched', 'mismatched'] as const satisfies readonly SettlementOutcome[];
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];
export const PROVIDER_DEFAULT = 'sim_provider';

/** Asia/Bangkok has had one offset, and no daylight saving time, since 1920. */
const BANGKOK_AHEAD_MS = 7 * HOUR_MS;

/** A provider's statement of what it owes a merchant for a day. */
export interface Settlement {
  readonly id: string;
  readonly number: string;
  readonly version: number;
  readonly provider: string;
  /** A day in Asia/Bangkok, YYYY-MM-DD. */
  readonly valueDate: string;
  readonly status: SettlementStatus;
  /** What the payments up to that day come to, less refunds. */
  readonly expected: Money;
  /** What the provider stated, or null where it stated nothing. */
  readonly stated: Money | null;
  readonly payoutId: string | null;
  readonly actionId: string;
  readonly providerEventId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/**
 * What is unsettled of one day: succeeded payments and payouts that came back, and apart from these succeeded refunds.
 * Sums have no bound, and must be exact beyond what a number of JavaScript can be.
 */
export interface DayBalance {
  readonly day: string;
  readonly paidMinor: bigint;
  readonly refundedMinor: bigint;
}

/** As much as every reader of JSON takes for what it is: what is owed beyond it is carried on (contract §8). */
export const SETTLED_MAX_MINOR = Number.MAX_SAFE_INTEGER;

/** The day of an instant in Asia/Bangkok, YYYY-MM-DD. */
export function bangkokDay(epochMs: number): string {
  return new Date(epochMs + BANGKOK_AHEAD_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** What a merchant is owed for some days, in minor units. Below one there is nothing to settle. */
export function netOf(days: readonly DayBalance[]): bigint {
  return days.reduce((net, { paidMinor, refundedMinor }) => net + paidMinor - refundedMinor, 0n);
}

/** What one settlement takes of what is owed, and what it leaves unsettled. */
export function splitNet(netMinor: bigint): { readonly takenMinor: number; readonly restMinor: bigint } {
  const max = BigInt(SETTLED_MAX_MINOR);
  const taken = netMinor > max ? max : netMinor;
  return { takenMinor: Number(taken), restMinor: netMinor - taken };
}

/** How a statement compares with what a settlement would take. */
export function compareStatement(takenMinor: number, statedMinor: number | undefined): SettlementOutcome {
  if (takenMinor <= 0) {
    return 'empty';
  }
  return statedMinor === undefined || statedMinor === takenMinor ? 'matched' : 'mismatched';
}
