import { lastOf } from '../domain/event.ts';
import { type Payment, type PaymentStatus, type PaymentStep, paymentAsOf } from '../domain/payment.ts';
import { usesChangedBy } from '../domain/payment-link.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { addToBalance } from './balance.ts';
import type { Change } from './commit.ts';
import { findEntity, type Item, insert, replace } from './item.ts';
import { insertJob } from './job.ts';
import { newestIndex, paymentKey, referencePk, relatedIndex } from './keys.ts';
import { countLinkUses } from './link-uses.ts';
import { type ListSource, listPage, newestFirst, type Page, type PageRequest } from './list.ts';

/**
 * The payment as it is stored: for commands, which look at its time themselves.
 * @throws Problem `payment_not_found`
 */
export async function readPayment(world: World, id: string): Promise<Payment> {
  return found(await findPayment(world, id), 'payment_not_found');
}

/**
 * The payment as it truly is now: one that is due to expire reads as expired.
 * @throws Problem `payment_not_found`
 */
export async function getPayment(world: World, id: string, nowMs: number): Promise<Payment> {
  return paymentAsOf(await readPayment(world, id), nowMs);
}

/** The payment as it is stored, or null. */
export function findPayment(world: World, id: string): Promise<Payment | null> {
  return findEntity('pay', id, paymentKey(world, id), toPayment);
}

/** A new payment, and the job that expires it where nobody pays. */
export function insertPayment(world: World, payment: Payment): Change[] {
  return [
    insertPaymentAlone(world, payment),
    insertJob(world, { kind: 'expire-payment', dueAtMs: payment.expiresAtMs, paymentId: payment.id }),
  ];
}

/** A payment whose jobs are queued by whoever puts it in. */
export function insertPaymentAlone(world: World, payment: Payment): Change {
  return insert(toItem(world, payment));
}

/**
 * Records what became of a payment: its steps in one write, and what it adds to the day's balance and to the uses of its
 * link.
 * @param countLink how its link is counted, where that is more than one use more or less
 */
export function recordPayment(
  world: World,
  before: Payment,
  steps: readonly PaymentStep[],
  countLink?: readonly Change[],
): Change[] {
  const after = lastOf(before, steps);
  const isPaid = after.status === 'succeeded' && before.status !== 'succeeded';
  return [
    replacePayment(world, before, after),
    ...(countLink ?? countUse(world, before, after.status)),
    ...(isPaid ? [addToBalance(world, after.updatedAtMs, after.amount.minor)] : []),
  ];
}

/** Writes a payment in place of the version that it was made from. */
export function replacePayment(world: World, before: Payment, after: Payment): Change {
  return replace(toItem(world, after), before.version);
}

/** What the link that a payment was made from learns of it. */
function countUse(world: World, { linkId, status }: Payment, after: PaymentStatus): Change[] {
  const { uses, takenUses } = usesChangedBy(status, after);
  return (linkId ?? null) === null || (uses === 0 && takenUses === 0)
    ? []
    : [countLinkUses(world, String(linkId), { uses, takenUses })];
}

/**
 * Holds an amount back for a refund. The guard is in the write itself: however many refunds are requested at once,
 * they cannot take more than is left (contract §6).
 */
export function reserveRefund(world: World, paymentId: string, amountMinor: number): Change {
  return {
    update: {
      key: paymentKey(world, paymentId),
      expression: 'SET refundableMinor = refundableMinor - :amount, #version = #version + :one',
      condition: '#status = :succeeded AND refundableMinor >= :amount',
      names: { '#version': 'version', '#status': 'status' },
      values: { ':amount': amountMinor, ':one': 1, ':succeeded': 'succeeded' },
    },
  };
}

/** Counts a refund that succeeded. */
export function countRefund(world: World, paymentId: string, amountMinor: number): Change {
  return {
    update: {
      key: paymentKey(world, paymentId),
      expression: 'SET refundedMinor = refundedMinor + :amount, #version = #version + :one',
      condition: 'attribute_exists(pk)',
      names: { '#version': 'version' },
      values: { ':amount': amountMinor, ':one': 1 },
    },
  };
}

/** Gives back what a refund held, when it will not happen. */
export function releaseRefund(world: World, paymentId: string, amountMinor: number): Change {
  return {
    update: {
      key: paymentKey(world, paymentId),
      expression: 'SET refundableMinor = refundableMinor + :amount, #version = #version + :one',
      condition: 'attribute_exists(pk)',
      names: { '#version': 'version' },
      values: { ':amount': amountMinor, ':one': 1 },
    },
  };
}

export interface PaymentFilter extends PageRequest {
  readonly status?: string | undefined;
  readonly method?: string | undefined;
  readonly reference?: string | undefined;
}

/** One page of payments, newest first. */
export function listPayments(world: World, filter: PaymentFilter, nowMs: number): Promise<Page<Payment>> {
  const { status, method, reference } = filter;
  const source: ListSource =
    reference === undefined
      ? newestFirst(world, 'PAYMENTS', world.counts.payment)
      : { index: 'related', newestBlock: 0, partitionOf: () => referencePk(world, reference) };
  const keep = ({ status: is, method: by }: Payment) =>
    (status === undefined || is === status) && (method === undefined || by === method);
  const isFiltered = status !== undefined || method !== undefined;
  return listPage(
    source,
    filter,
    (item) => paymentAsOf(toPayment(item), nowMs),
    isFiltered ? keep : undefined,
  );
}

function toPayment(item: Item): Payment {
  return { ...item, metadata: JSON.parse(String(item.metadata)) } as unknown as Payment;
}

function toItem(world: World, payment: Payment) {
  const { id, number, reference } = payment;
  return {
    ...payment,
    ...paymentKey(world, id),
    ...newestIndex(world, 'PAYMENTS', number, id),
    ...(reference !== null && relatedIndex(referencePk(world, reference), id)),
    // As text, for a DynamoDB map keeps neither the order of its keys nor every number that JSON can say.
    metadata: JSON.stringify(payment.metadata),
  };
}
