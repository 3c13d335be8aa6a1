import { BALANCE_CURRENCY } from './balance.ts';
import { type Money, minorIn } from './money.ts';
import type { ResourceChange } from './resource-change.ts';

export type SettlementOutcome = 'matched' | 'mismatched' | 'empty';
/** Without `empty`: where there is nothing to settle, no settlement is made. */
export const SETTLEMENT_STATUSES = ['matched', 'mismatched'] as const satisfies readonly SettlementOutcome[];
type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];
export const PROVIDER_MAX_CHARS = 80;
export const PROVIDER_DEFAULT = 'sim_provider';

/** A provider's statement of what it owes a merchant for a day. */
export interface Settlement {
  readonly id: string;
  readonly number: string;
  readonly version: number;
  readonly provider: string;
  /** A day in Asia/Bangkok, YYYY-MM-DD. */
  readonly valueDate: string;
  readonly status: SettlementStatus;
  /** The sum of the unsettled payments up to that day, less refunds. */
  readonly expected: Money;
  /** What the provider stated, or null where it stated nothing. */
  readonly stated: Money | null;
  readonly payoutId: string | null;
  readonly actionId: string;
  readonly providerEventId: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The largest integer that every JSON reader keeps exact: more than that is carried over (contract §8). */
export const SETTLED_MAX_MINOR = Number.MAX_SAFE_INTEGER;

/** Splits what is owed into what one settlement takes and what stays unsettled, in minor units. */
export function splitNet(netMinor: bigint): { readonly takenMinor: number; readonly restMinor: bigint } {
  const max = BigInt(SETTLED_MAX_MINOR);
  const taken = netMinor > max ? max : netMinor;
  return { takenMinor: Number(taken), restMinor: netMinor - taken };
}

/**
 * How a statement compares with what a settlement would take.
 * @throws Problem `validation_failed` for a statement in another currency
 */
export function compareStatement(takenMinor: number, stated: Money | undefined): SettlementOutcome {
  if (takenMinor <= 0) {
    return 'empty';
  }
  return stated === undefined || minorIn(BALANCE_CURRENCY, stated) === takenMinor ? 'matched' : 'mismatched';
}

/** The events of a settlement (contract §10). */
export const SETTLEMENT_EVENTS = ['settlement.matched', 'settlement.mismatched'] as const;
export type SettlementChange = ResourceChange<'settlement', (typeof SETTLEMENT_EVENTS)[number], Settlement>;

/** Creates a settlement. It never changes afterwards. */
export function createSettlement(
  settled: Omit<Settlement, 'version' | 'createdAtMs' | 'updatedAtMs'>,
  nowMs: number,
): SettlementChange {
  const after = { ...settled, version: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
  const steps = [{ event: `settlement.${settled.status}`, previousStatus: null, after }] as const;
  return { resource: 'settlement', before: null, steps, consequences: [] };
}
