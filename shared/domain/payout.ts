import type { BalanceShard } from './balance.ts';
import { type Machine, nextState } from './machine.ts';
import type { Money } from './money.ts';
import { type Consequence, nextVersion, type ResourceChange } from './resource-change.ts';

export const PAYOUT_STATUSES = ['pending', 'paid', 'failed', 'returned'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];
/** The commands of the machine, each with the event that reports it (contract §10). */
const EVENT_OF = { pay: 'payout.paid', return: 'payout.returned', fail: 'payout.failed' } as const;
type PayoutCommand = keyof typeof EVENT_OF;
export const PAYOUT_EVENTS = ['payout.created', ...Object.values(EVENT_OF)] as const;

/** The life of a payout (contract §8): money that was paid can still come back. */
export const payoutMachine: Machine<PayoutStatus, PayoutCommand> = {
  pending: { pay: 'paid', fail: 'failed', return: 'returned' },
  paid: { return: 'returned' },
  failed: {},
  returned: {},
};

export const PAYOUT_OUTCOMES = ['paid', 'returned', 'failed'] as const;
export type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number];
const RETURN_REASON_DEFAULT = 'account_closed';

const COMMAND_OF: Readonly<Record<PayoutOutcome, PayoutCommand>> = {
  paid: 'pay',
  returned: 'return',
  failed: 'fail',
};

export interface Payout {
  readonly id: string;
  readonly number: string;
  readonly version: number;
  readonly settlementId: string;
  readonly provider: string;
  readonly status: PayoutStatus;
  readonly amount: Money;
  readonly returnReason: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The sum of the balance that has the money of a payout; null: it is unsettled again. */
export const SUM_OF_PAYOUT = {
  pending: 'pending',
  paid: 'paidOut',
  failed: null,
  returned: null,
} as const satisfies Readonly<Record<PayoutStatus, 'pending' | 'paidOut' | null>>;

/** The sums of payouts that are on their way and that are paid, in minor units. */
export function payoutSumsOf(payouts: readonly Pick<Payout, 'status' | 'amount'>[]) {
  const sumOf = (wanted: 'pending' | 'paidOut') =>
    payouts.reduce(
      (sum, { status, amount }) => (SUM_OF_PAYOUT[status] === wanted ? sum + BigInt(amount.minor) : sum),
      0n,
    );
  return { pending: sumOf('pending'), paidOut: sumOf('paidOut') };
}

/**
 * Applies an outcome that the bank reported.
 * @throws Problem `invalid_state` where the payout's status does not allow the outcome
 */
export function applyPayoutOutcome(
  payout: Payout,
  outcome: PayoutOutcome,
  returnReason: string | undefined,
  nowMs: number,
): PayoutChange {
  const command = COMMAND_OF[outcome];
  const status = nextState(payoutMachine, payout.status, command);
  const reason = status === 'returned' && { returnReason: returnReason ?? RETURN_REASON_DEFAULT };
  const after = nextVersion(payout, { status, ...reason }, nowMs);
  const back: Consequence = { kind: 'balance', atMs: after.updatedAtMs, amount: after.amount };
  return {
    resource: 'payout',
    before: payout,
    steps: [{ event: EVENT_OF[command], previousStatus: payout.status, after }],
    // Money that failed to arrive or was returned is unsettled again (contract §8).
    consequences: status === 'failed' || status === 'returned' ? [back] : [],
  };
}

export type PayoutChange = ResourceChange<'payout', (typeof PAYOUT_EVENTS)[number], Payout>;

/**
 * Creates the payout of a matched settlement, with status `pending`.
 * @param balances what it pays out
 * @param restMinor what stays unsettled of the last of them, in minor units
 */
export function createPayout(
  settlement: Pick<Payout, 'provider' | 'createdAtMs'> & { readonly id: string; readonly expected: Money },
  { id, number }: Pick<Payout, 'id' | 'number'>,
  balances: readonly BalanceShard[],
  restMinor: bigint,
): PayoutChange {
  const { provider, createdAtMs, expected: amount, id: settlementId } = settlement;
  const after: Payout = {
    id,
    number,
    version: 1,
    settlementId,
    provider,
    status: 'pending',
    amount,
    returnReason: null,
    createdAtMs,
    updatedAtMs: createdAtMs,
  };
  const steps = [{ event: 'payout.created', previousStatus: null, after }] as const;
  const consequences = balances.map(
    (balance): Consequence => ({
      kind: 'settle-day',
      balance,
      restMinor: balance === balances.at(-1) ? restMinor : 0n,
    }),
  );
  return { resource: 'payout', before: null, steps, consequences };
}
