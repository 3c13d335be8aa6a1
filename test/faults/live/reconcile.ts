import { operations } from '../../../shared/contract/operations.ts';
import { netOf } from '../../../shared/domain/balance.ts';
import { Inspection } from '../model/invariants.ts';
import { LOOK_UPS, type Shop } from './shop.ts';

const { readBalances } = await import('../../../shared/store/money/balance.ts');
const { readParkedJobs } = await import('../../../shared/store/scheduler/parked.ts');

const LAST_DAY = '9999-12-31';

/** The status of a payment here, by the status of its attempt at Stripe. */
const HERE: Readonly<Record<string, readonly string[]>> = {
  canceled: ['canceled', 'expired'],
  requires_payment_method: ['failed'],
  succeeded: ['succeeded'],
  processing: ['processing'],
};
/** The status of a refund at Stripe, by its status here; null: Stripe has none. */
const THERE: Readonly<Record<string, readonly (string | null)[]>> = {
  canceled: [null],
  rejected: [null],
  processing: ['pending', 'requires_action'],
  succeeded: ['succeeded'],
  failed: ['failed', 'canceled', null],
};
/**
 * Compares the books of a shop and of its Stripe, once nothing more is going to happen: no money was taken twice, given
 * back twice, lost or made up, and no payment that nothing waits for can still be paid.
 * @throws Error that says what does not hold
 */
export async function reconcile(shop: Shop): Promise<void> {
  const inspection = new Inspection();
  const { api, world } = shop;
  const payments = (await api(operations.listPayments)).json.data;
  const refunds = (await api(operations.listRefunds)).json.data;
  const events = (await api(operations.listEvents, { query: { limit: '100' } })).json.data;
  const [intents, repaid] = [shop.intents(), shop.refunds()];

  for (const { id, status, metadata } of intents) {
    const isKnown = payments.some((it) => it.id === metadata.payment_id);
    inspection.that(isKnown || status === 'canceled', `${id} is ${status}, and no payment is stored for it`);
  }
  for (const payment of payments) {
    const { id, status, amount } = payment;
    const its = intents.filter(({ metadata }) => metadata.payment_id === id);
    inspection.that(its.length <= 1, `${id} was begun ${its.length} times at Stripe`);
    const paid = its.filter((it) => it.amount_received > 0);
    const isWhole = paid.every((it) => it.amount_received === amount.minor);
    const here = isWhole ? its.flatMap((it) => HERE[it.status] ?? []) : ['processing'];
    const isFair = its.length === 0 ? ['expired', 'canceled'].includes(status) : here.includes(status);
    inspection.that(isFair, `${id} is ${status}, at Stripe ${its.map((it) => it.status)}`);
    const end = isWhole ? `payment.${status}` : 'payment.amount_mismatch';
    const ends = events.filter(({ data, type }) => data.object.id === id && type === end);
    inspection.that(ends.length === 1, `${end} was reported ${ends.length} times of ${id}`);
    const back = refunds.filter((it) => it.payment_id === id && it.status === 'succeeded');
    inspection.that(payment.refunded_minor === sumOf(back), `${id} counts other refunds than there are`);
  }
  for (const { id, metadata } of repaid) {
    const isKnown = refunds.some((it) => it.id === metadata.refund_id);
    inspection.that(isKnown, `${id} pays back without a request`);
  }
  for (const { id, status } of refunds) {
    const its = repaid.filter(({ metadata }) => metadata.refund_id === id);
    inspection.that(its.length <= 1, `${id} was handed over ${its.length} times`);
    const there = its[0]?.status ?? null;
    inspection.that(THERE[status]?.includes(there) === true, `${id} is ${status}, at Stripe ${there}`);
  }
  const net = sumOf(payments.filter(({ status }) => status === 'succeeded'));
  const back = sumOf(refunds.filter(({ status }) => status === 'succeeded'));
  const books = netOf(await readBalances(world, LAST_DAY));
  inspection.that(books === BigInt(net - back), `the books say ${books}, and not ${net} less ${back}`);
  for (const job of await shop.jobs()) {
    inspection.that(LOOK_UPS.includes(job.kind), `a job ${job.kind} is left for ever`);
  }
  inspection.that((await readParkedJobs()).length === 0, 'a job was parked');
  if (inspection.violations.length > 0) {
    throw new Error(inspection.violations.join('\n'));
  }
}

function sumOf(all: readonly { readonly amount: { readonly minor: number } }[]): number {
  return all.reduce((sum, { amount }) => sum + amount.minor, 0);
}
