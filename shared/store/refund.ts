import { isId } from '../domain/id.ts';
import { APPROVAL_AFTER_MS, type Refund } from '../domain/refund.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { Change } from './commit.ts';
import { getItem, type Item, insert, replace } from './item.ts';
import { insertJob } from './job.ts';
import { newestIndex, refundedPk, refundKey, relatedIndex } from './keys.ts';
import { type ListSource, listPage, newestFirst, type Page, type PageRequest } from './list.ts';
import { releaseRefund, reserveRefund } from './payment.ts';

/**
 * @throws Problem `refund_not_found`
 */
export async function getRefund(world: World, id: string): Promise<Refund> {
  const item = isId('ref', id) ? await getItem(refundKey(world, id)) : undefined;
  if (item === undefined) {
    throw new Problem('refund_not_found');
  }
  return toRefund(item);
}

/** A new refund, its hold on the payment's money, and the job that approves it. */
export function insertRefund(world: World, refund: Refund): Change[] {
  return [
    insert(toItem(world, refund)),
    reserveRefund(world, refund.paymentId, refund.amount.minor),
    insertJob(world, {
      kind: 'approve-refund',
      dueAtMs: refund.createdAtMs + APPROVAL_AFTER_MS,
      refundId: refund.id,
    }),
  ];
}

/** A refund that will not happen, and its money given free for others. */
export function replaceDeadRefund(world: World, refund: Refund): Change[] {
  return [replaceRefund(world, refund), releaseRefund(world, refund.paymentId, refund.amount.minor)];
}

/** Writes a refund in place of the version that it was made from. */
function replaceRefund(world: World, refund: Refund): Change {
  return replace(toItem(world, refund), refund.version - 1);
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
    ...refundKey(world, refund.id),
    ...newestIndex(world, 'REFUNDS', refund.number, refund.id),
    ...relatedIndex(refundedPk(world, refund.paymentId), refund.id),
    ...refund,
  };
}
