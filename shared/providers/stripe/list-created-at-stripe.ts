import * as v from 'valibot';
import { MINUTE_MS, SECOND_MS } from '../../domain/clock.ts';
import type { CreatedObject, ListCreated } from '../created-object.ts';
import type { ProviderResult } from '../provider.ts';
import { paymentIntent, paymentStateOf } from './payment-intent.ts';
import { requestStripe, STRIPE_ORIGIN, type StripeAccess } from './stripe-api.ts';
import { refundStateOf, stripeRefund } from './stripe-refund.ts';

/* What Stripe lists, as objects of this service: by the metadata that the adapter gives everything it creates. */

/** An operator waits for it, and a busy account has many pages. */
const LIST_TIMEOUT_MS = 10 * MINUTE_MS;
const PAGE_MAX_ITEMS = 100;
/** The state of an attempt does not depend on where its QR is shown. */
const NO_PAGES = { checkoutUrl: '', qrSvgUrl: '' };

const common = { created: v.number(), amount: v.pipe(v.number(), v.safeInteger()), currency: v.string() };
const listedIntent = v.object({ ...paymentIntent.entries, ...common });
const listedRefund = v.object({ ...stripeRefund.entries, ...common });

export const listCreatedAtStripe: ListCreated = async (
  { secret_key: secretKey = '' },
  sinceMs,
  apiUrl = STRIPE_ORIGIN,
) => {
  const access = { secretKey, apiUrl };
  const deadline = AbortSignal.timeout(LIST_TIMEOUT_MS);
  const since = String(Math.floor(sinceMs / SECOND_MS));
  const payments = await readList(access, listedIntent, { path: 'payment_intents', since, deadline });
  if (payments.kind !== 'done') {
    return payments;
  }
  const refunds = await readList(access, listedRefund, { path: 'refunds', since, deadline });
  if (refunds.kind !== 'done') {
    return refunds;
  }
  const created = [...payments.reported.map(toPayment), ...refunds.reported.map(toRefund)];
  return { kind: 'done', reported: created.filter((each) => each !== null) };
};

/** Everything that was created since then, newest first. */
async function readList<Read extends { readonly id: string }>(
  access: StripeAccess,
  schema: v.GenericSchema<unknown, Read>,
  { path, since, deadline }: { path: string; since: string; deadline: AbortSignal },
): Promise<ProviderResult<readonly Read[]>> {
  const pageSchema = v.object({ data: v.array(schema), has_more: v.boolean() });
  const read: Read[] = [];
  for (;;) {
    const last = read.at(-1);
    const query = new URLSearchParams({
      'created[gte]': since,
      limit: String(PAGE_MAX_ITEMS),
      ...(last !== undefined && { starting_after: last.id }),
    });
    const page = await requestStripe(access, pageSchema, { path: `${path}?${query}`, deadline });
    if (page.kind !== 'done') {
      return page;
    }
    read.push(...page.reported.data);
    if (!page.reported.has_more || page.reported.data.length === 0) {
      return { kind: 'done', reported: read };
    }
  }
}

/** Null for one of another system in the same account. */
function toPayment(intent: v.InferOutput<typeof listedIntent>): CreatedObject | null {
  const { payment_id: paymentId, attempt_id: ourId } = intent.metadata;
  if (paymentId === undefined || ourId === undefined) {
    return null;
  }
  const state = paymentStateOf(intent, NO_PAGES)?.state ?? null;
  return { kind: 'payment', paymentId, ourId, ...commonOf(intent), state };
}

function toRefund(refund: v.InferOutput<typeof listedRefund>): CreatedObject | null {
  const { payment_id: paymentId, refund_id: ourId } = refund.metadata ?? {};
  if (paymentId === undefined || ourId === undefined) {
    return null;
  }
  return {
    kind: 'refund',
    paymentId,
    ourId,
    ...commonOf(refund),
    state: refundStateOf(refund)?.state ?? null,
  };
}

function commonOf({
  id,
  created,
  amount,
  currency,
}: { id: string } & v.InferOutput<v.ObjectSchema<typeof common, undefined>>) {
  return {
    reference: id,
    amount: { currency: currency.toUpperCase(), minor: amount },
    createdAtMs: created * SECOND_MS,
  };
}
