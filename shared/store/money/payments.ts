import { type Payment, paymentAsOf } from '../../domain/payment.ts';
import { get } from '../table/entity.ts';
import { type ListPage, list, type PageRequest, type Query } from '../table/list.ts';
import { readAfterMove } from '../worlds/clock-move.ts';
import type { Moment } from '../worlds/world.ts';

/**
 * The payment as it is stored, read when no move of the clock is about to expire it.
 * @throws Problem `payment_not_found`, `temporarily_unavailable`
 */
export function getPayment(moment: Moment, id: string): Promise<Payment> {
  return readAfterMove(
    moment,
    () => get('payment', moment.world, id),
    (payment) => [payment],
  );
}

/**
 * One page of payments as of now (`paymentAsOf`), read when no move of the clock is about to expire one of them.
 * @throws Problem `temporarily_unavailable`; as `list` does
 */
export function listPayments<ListQuery extends PageRequest>(
  moment: Moment,
  query: Query<'payment', ListQuery>,
): Promise<ListPage<Payment>> {
  const { world, nowMs } = moment;
  let stored: Payment[] = [];
  const asOf = (payment: Payment) => {
    stored.push(payment);
    return paymentAsOf(payment, nowMs);
  };
  const read = () => {
    stored = [];
    return list('payment', world, query, asOf);
  };
  return readAfterMove(moment, read, () => stored);
}
