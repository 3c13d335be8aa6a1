import { lastOf } from '../domain/event.ts';
import { APPROVAL_AFTER_MS, isDead, type Refund, type RefundStep } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import { addToBalance } from './balance.ts';
import type { Change } from './commit.ts';
import { findEntity, type Item, insert, replace } from './item.ts';
import { insertJob } from './job.ts';
import { newestIndex, refundedPk, refundKey, relatedIndex } from './keys.ts';
import { type ListSource, listPage, newestFirst, type Page, type PageRequest } from './list.ts';
import { countRefund, releaseRefund, reserveRefund } from './payment.ts';

/**
 * @throws Problem `refund_not_found`
 */
export async function getRefund(world: World, id: string): Promise<Refund> {
  return found(await findRefund(world, id), 'refund_not_found');
}

export function findRefund(world: World, id: string): Promise<Refund | null> {
  return findEntity('ref', id, refundKey(world, id), toRefund);
}

/** A new refund, its hold on the payment's money, and the job that approves it. */
export function insertRefund(world: World, refund: Refund): Change[] {
  return [
    insertRefundAlone(world, refund),
    reserveRefund(world, refund.paymentId, refund.amount.minor),
    insertJob(world, {
      kind: 'approve-refund',
      dueAtMs: refund.createdAtMs + APPROVAL_AFTER_MS,
      refundId: refund.id,
    }),
  ];
}

/** A refund whose hold on the payment is counted, and whose jobs are queued, by whoever puts it in. */
export function insertRefundAlone(world: World, refund: Refund): Change {
  return insert(toItem(world, refund));
}

/** Records what became of a refund: its steps in one write, and what they mean for the payment's money. */
export function recordRefund(world: World, before: Refund, steps: readonly RefundStep[]): Change[] {
  if (steps.length === 0) {
    return [];
  }
  const after = lastOf(before, steps);
  const { paymentId, amount, updatedAtMs } = after;
  const record = replace(toItem(world, after), before.version);
  if (isDead(after)) {
    return [record, releaseRefund(world, paymentId, amount.minor)];
  }
  return after.status === 'succeeded'
    ? [record, countRefund(world, paymentId, amount.minor), addToBalance(world, updatedAtMs, -amount.minor)]
    : [record];
}

export interface RefundFilter extends PageRequest {
  readonly status?: string | undefined;
  readonly payment_id?: string | undefined;
}

/** One page of refunds, newest first. */
export function listRefunds(world: World, filter: RefundFilter): Promise<Page<Refund>> {
  const { status, payment_id: paymentId } = filter;
  const source: ListSource =
    paymentId === undefined
      ? newestFirst(world, 'REFUNDS', world.counts.refund)
      : { index: 'related', newestBlock: 0, partitionOf: () => refundedPk(world, paymentId) };
  return listPage(
    source,
    filter,
    toRefund,
    status === undefined ? undefined : (refund) => refund.status === status,
  );
}

function toRefund(item: Item): Refund {
  return item as unknown as Refund;
}

function toItem(world: World, refund: Refund) {
  return {
    ...refund,
    ...refundKey(world, refund.id),
    ...newestIndex(world, 'REFUNDS', refund.number, refund.id),
    ...relatedIndex(refundedPk(world, refund.paymentId), refund.id),
  };
}
