import type { StoredItem } from '../../../shared/store/table/item.ts';
import type { Break } from './law.ts';

/*
 * The lives of resources as the contract tells them, written again: nothing here is taken from the service.
 */

type Steps = Readonly<Record<string, readonly string[]>>;

const UNPAID = ['requires_action', 'processing', 'succeeded', 'failed', 'canceled', 'expired'];
const PAYMENT: Steps = {
  created: UNPAID,
  requires_action: UNPAID,
  processing: ['processing', 'succeeded', 'failed'],
  succeeded: [],
  failed: [],
  expired: ['succeeded'],
  canceled: ['succeeded'],
};
const REFUND: Steps = {
  requested: ['approved', 'rejected', 'canceled'],
  approved: ['processing'],
  processing: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
  rejected: [],
  canceled: [],
};
const PAYOUT: Steps = {
  pending: ['paid', 'failed', 'returned'],
  paid: ['returned'],
  failed: [],
  returned: [],
};
const LINK: Steps = { active: ['disabled'], disabled: [] };

const MINUTE_MS = 60_000;
/** Clocks of processes differ by less. */
const SKEW_MS = 1_000;
/** So long a refund can be canceled (contract §6). */
const APPROVED_AFTER_MS = 15 * MINUTE_MS;
/** By then what is due has been done, where nothing goes wrong. */
const REST_MS = 3 * MINUTE_MS;
const REFUND_WINDOW_MS = 180 * 24 * 60 * MINUTE_MS;
/** A link that does not say more takes a million baht at most. */
const OPEN_AMOUNT_MAX_MINOR = 100_000_000;

/** A resource as it is stored, with its packed fields. */
export interface Stored {
  readonly sk: string;
  readonly id: string;
  readonly status: string;
  readonly amount: { readonly minor: number } | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly succeededAtMs: number | null;
  readonly late: boolean;
  readonly linkId: string | null;
  readonly paymentId: string;
  readonly reasonCode: number;
  readonly received?: { readonly minor: number };
  readonly failureCode?: string;
  readonly version: number;
  readonly number: string;
  readonly statusHistory?: readonly { readonly status: string; readonly atMs: number }[];
  readonly minAmount: { readonly minor: number } | null;
  readonly maxAmount: { readonly minor: number } | null;
  readonly maxUses: number | null;
  readonly takenUses: number;
  readonly refundableMinor: number;
}

const TABLES: Readonly<Record<string, Steps>> = { PAYMENT, REFUND, PAYOUT, LINK };

/** Judges what one commit made of a resource. @param find another resource, as it was before the commit */
export function judgeLife(
  before: Stored | undefined,
  after: Stored,
  find: (id: string) => Stored | undefined,
  report: Break,
): void {
  const table = TABLES[after.sk];
  if (table === undefined) {
    return;
  }
  const steps = stepsBetween(before, after);
  let status = before?.status ?? null;
  for (const step of steps) {
    const isStep = status === null ? isFirst(after, table, step) : (table[status] ?? []).includes(step);
    if (!isStep) {
      report('life', `${after.id} went from ${status} to ${step}`);
    }
    status = step;
  }
  if (before !== undefined && after.version < before.version) {
    report('life', `${after.id} went back to version ${after.version}`);
  }
  if (after.sk === 'PAYOUT' && !(Number(after.amount?.minor) >= 1)) {
    report('amount', `${after.id} pays out ${after.amount?.minor} satang`);
  }
  if (after.sk === 'PAYMENT') {
    judgePayment(before, after, find, report);
  } else if (after.sk === 'REFUND') {
    judgeRefund(before, after, find, report);
  }
}

/**
 * Nothing that waits for its time happens before it.
 * @param clockMs of the merchant, at the commit
 */
export function judgeTime(before: Stored | undefined, after: Stored, clockMs: number, report: Break): void {
  const early = (dueMs: number) => dueMs - clockMs - SKEW_MS;
  for (const { status, atMs } of (after.statusHistory ?? []).slice(before?.statusHistory?.length ?? 0)) {
    // An expiry is noted as of the end of a payment, and money may come right after it.
    if (early(atMs) > 0) {
      report('due-time', `${after.id} became ${status} ${early(atMs)} ms before its time`);
    }
  }
  const isApproved = after.sk === 'REFUND' && after.status === 'approved' && before?.status !== 'approved';
  if (isApproved && early(after.createdAtMs + APPROVED_AFTER_MS) > 0) {
    report('due-time', `${after.id} was approved while it could still be canceled`);
  }
}

/**
 * At rest, what had its time is over in the store as well, not only where it is shown.
 * @param clockMs of the merchant
 */
export function judgeEnds(stored: readonly StoredItem[], clockMs: number, report: Break): void {
  for (const { sk, id, status, expiresAtMs, createdAtMs } of stored) {
    const isEndless = status === 'created' || status === 'requires_action';
    if (sk === 'PAYMENT' && isEndless && clockMs > Number(expiresAtMs) + REST_MS) {
      report('due-time', `${id} is stored as ${status} after its time`);
    }
    const isWaiting = status === 'requested' || status === 'approved';
    if (sk === 'REFUND' && isWaiting && clockMs > Number(createdAtMs) + APPROVED_AFTER_MS + REST_MS) {
      report('due-time', `${id} is stored as ${status} after its time`);
    }
  }
}

/** Seeded payouts and links have no history: they begin where they are. */
function isFirst({ statusHistory }: Stored, table: Steps, status: string): boolean {
  return statusHistory === undefined || status === Object.keys(table)[0];
}

/** The statuses that a commit added: those of the history, or the last one where the resource has no history. */
function stepsBetween(before: Stored | undefined, after: Stored): readonly string[] {
  if (after.statusHistory === undefined) {
    return before?.status === after.status ? [] : [after.status];
  }
  const had = before?.statusHistory?.length ?? 0;
  const added = after.statusHistory.slice(had).map(({ status }) => status);
  return added.at(-1) === after.status || (added.length === 0 && before?.status === after.status)
    ? added
    : [...added, after.status];
}

function judgePayment(
  before: Stored | undefined,
  after: Stored,
  find: (id: string) => Stored | undefined,
  report: Break,
): void {
  const { id, expiresAtMs, linkId } = after;
  const history = after.statusHistory ?? [];
  const added = history.slice(before?.statusHistory?.length ?? 0);
  const endsAtMs = before?.expiresAtMs ?? expiresAtMs ?? Number.POSITIVE_INFINITY;
  for (const { status, atMs } of added) {
    const nth = history.findIndex((entry) => entry.status === status && entry.atMs === atMs);
    const previous = history[nth - 1]?.status;
    const wasPayable = previous === 'created' || previous === 'requires_action';
    if (status === 'expired' && atMs !== endsAtMs) {
      report('due-time', `${id} expired ${atMs - endsAtMs} ms after its time`);
    } else if (status !== 'expired' && wasPayable && atMs >= endsAtMs) {
      report('due-time', `${id} became ${status} ${atMs - endsAtMs} ms after its time, and had not expired`);
    }
    const isLate = previous === 'expired' || previous === 'canceled';
    if (status === 'succeeded' && isLate !== (after.late === true)) {
      report('life', `${id} was paid after ${previous}, and late is ${after.late}`);
    }
  }
  if (before !== undefined && Number(expiresAtMs) < Number(before.expiresAtMs)) {
    report('due-time', `${id} has less time than before`);
  }
  const link = linkId === null ? undefined : find(linkId);
  if (before === undefined && link !== undefined) {
    judgeLinkPayment(after, link, report);
  }
  if (before !== undefined && before.amount?.minor !== after.amount?.minor) {
    report('amount', `the amount of ${id} has changed`);
  }
}

function judgeLinkPayment(payment: Stored, link: Stored, report: Break): void {
  const minor = Number(payment.amount?.minor);
  if (link.status !== 'active') {
    report('life', `${link.id} is ${link.status}, and ${payment.id} was created from it`);
  }
  if (link.expiresAtMs !== null && payment.createdAtMs >= link.expiresAtMs) {
    report('due-time', `${payment.id} was created from ${link.id} after its end`);
  }
  const [least, most] = link.amount
    ? [link.amount.minor, link.amount.minor]
    : [link.minAmount?.minor ?? 1, link.maxAmount?.minor ?? OPEN_AMOUNT_MAX_MINOR];
  if (minor < least || minor > most) {
    report('amount', `${payment.id} is of ${minor} satang, its link takes ${least} to ${most}`);
  }
}

function judgeRefund(
  before: Stored | undefined,
  after: Stored,
  find: (id: string) => Stored | undefined,
  report: Break,
): void {
  const { id, createdAtMs, statusHistory = [], reasonCode } = after;
  const minor = Number(after.amount?.minor);
  if (before === undefined) {
    const payment = find(after.paymentId);
    if (payment?.status !== 'succeeded') {
      report('life', `${id} is of a payment that is ${payment?.status}`);
    } else if (createdAtMs > Number(payment.succeededAtMs) + REFUND_WINDOW_MS) {
      report(
        'due-time',
        `${id} was requested ${createdAtMs - Number(payment.succeededAtMs)} ms after the payment`,
      );
    }
    if (!(minor >= 1)) {
      report('amount', `${id} is of ${minor} satang`);
    }
  }
  if (statusHistory.some(({ status }) => status === 'approved') && reasonCode === 9999) {
    report('life', `${id} was approved, though its reason is to be rejected`);
  }
  if (statusHistory.some(({ status }) => status === 'rejected') && reasonCode !== 9999) {
    report('life', `${id} was rejected without a reason`);
  }
}
