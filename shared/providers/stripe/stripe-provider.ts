import * as v from 'valibot';
import type { AttemptRequest } from '../../domain/attempt-request.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/clock.ts';
import type { PaymentMethod } from '../../domain/payment-method.ts';
import type { ProviderAttempt } from '../../domain/provider-attempt.ts';
import type {
  LiveProvider,
  MethodTerms,
  ProviderKind,
  ProviderRefund,
  ProviderResult,
  RefundRequest,
} from '../provider.ts';
import { paymentIntent, paymentStateOf } from './payment-intent.ts';
import {
  requestStripe,
  STRIPE_ORIGIN,
  type StripeAccess,
  type StripeRequest,
  unknown,
} from './stripe-api.ts';
import { parseStripeNotification } from './stripe-notification.ts';
import { refundStateOf, stripeRefund } from './stripe-refund.ts';

/** How long one call of the port may take: a function that responds to a request has ten seconds. */
const TIMEOUT_MS = 8 * SECOND_MS;
/**
 * For how long a key certainly gets its first response again. Stripe keeps it for 24 hours at least
 * (https://docs.stripe.com/api/idempotent_requests); an hour is for clocks that differ.
 */
const KEY_KEPT_MS = 23 * HOUR_MS;
/** How far Stripe's creation time may be from our request: clocks differ, and a timed-out request may arrive later. */
const CREATED_TOLERANCE_MS = 10 * MINUTE_MS;
const PAGE_MAX_ITEMS = 100;

/** https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const THB_MIN_MINOR = 1_000;
/** https://docs.stripe.com/payments/promptpay: refunds go by an email to the payer. */
const METHODS = new Map<PaymentMethod, MethodTerms>([
  ['promptpay', { requires: ['customer.email'], minMinor: THB_MIN_MINOR, refund: 'by-email' }],
]);

/** Secrets of Stripe's test mode are valid: for rehearsals. A restricted key may read the account, too. */
export const STRIPE: ProviderKind = {
  methods: METHODS,
  secrets: {
    secret_key: /^[sr]k_(?:test|live)_[A-Za-z0-9_]{1,250}$/,
    webhook_secret: /^whsec_[\x21-\x7e]{1,250}$/,
  },
  connect: ({ secret_key = '', webhook_secret = '' }, apiUrl) =>
    stripeProvider({ secretKey: secret_key, webhookSecret: webhook_secret, apiUrl }),
};

export interface StripeCredentials {
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** Another origin than Stripe's, without `/v1`. */
  readonly apiUrl?: string | undefined;
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Stripe, by one merchant's credentials. It offers PromptPay only. */
export function stripeProvider({
  secretKey,
  webhookSecret,
  apiUrl = STRIPE_ORIGIN,
  timeoutMs = TIMEOUT_MS,
}: StripeCredentials): LiveProvider {
  const access = { secretKey, apiUrl };
  const byDeadline = () => AbortSignal.timeout(timeoutMs);

  return {
    name: 'stripe',
    methods: METHODS,

    async initiate(request) {
      if (!METHODS.has(request.method)) {
        return { kind: 'refused', code: 'method_unavailable' };
      }
      const deadline = byDeadline();
      return requestOnce(
        request.sinceMs,
        () => findPayment(access, { ...request, reference: null, untilMs: Date.now() }, deadline),
        () => createPayment(access, request, deadline),
      );
    },

    retrieve: (sent) => findPayment(access, sent, byDeadline()),

    async cancel(sent) {
      const deadline = byDeadline();
      const found = sent.reference === null ? await findPayment(access, sent, deadline) : null;
      if (found !== null && (found.kind !== 'done' || found.reported?.state !== 'open')) {
        return found;
      }
      const reference = String(sent.reference ?? found?.reported?.reference);
      // Without a key, which would keep a 500 response for a day: canceling twice is the same as once.
      const path = `payment_intents/${encodeURIComponent(reference)}/cancel`;
      const canceled = await requestStripe(access, paymentIntent, { path, form: {}, deadline });
      if (canceled.kind !== 'refused') {
        return understood(canceled, (intent) => paymentStateOf(intent, sent.pages));
      }
      const now = await findPayment(access, { ...sent, reference }, deadline);
      return now.kind === 'done' && now.reported?.state === 'open' ? canceled : now;
    },

    async refund(request) {
      const deadline = byDeadline();
      return requestOnce(
        request.sinceMs,
        () => findRefund(access, { ...request, reference: null }, deadline),
        () => createRefund(access, request, deadline),
      );
    },

    retrieveRefund: (sent) => findRefund(access, sent, byDeadline()),

    parseNotification: async (raw) => parseStripeNotification(webhookSecret, raw),

    async verifyCredentials() {
      const schema = v.object({ id: v.string() });
      const account = await requestStripe(access, schema, { path: 'account', deadline: byDeadline() });
      const isTest = secretKey.includes('_test_');
      return understood(account, ({ id: reference }) => ({ reference, isTest }));
    },
  };
}

async function createPayment(
  access: StripeAccess,
  { paymentId, attemptId, amount, method, email, pages }: AttemptRequest,
  deadline: AbortSignal,
) {
  const intent = await requestStripe(access, paymentIntent, {
    path: 'payment_intents',
    // Every retry sends these values, else Stripe would refuse the key.
    form: {
      amount: String(amount.minor),
      currency: amount.currency.toLowerCase(),
      confirm: 'true',
      'payment_method_types[]': method,
      'payment_method_data[type]': method,
      ...(email !== null && { 'payment_method_data[billing_details][email]': email }),
      'metadata[payment_id]': paymentId,
      'metadata[attempt_id]': attemptId,
    },
    idempotencyKey: attemptId,
    deadline,
  });
  return understood(intent, (it) => paymentStateOf(it, pages));
}

async function createRefund(
  access: StripeAccess,
  { refundId, paymentId, paymentReference, amount, email }: RefundRequest,
  deadline: AbortSignal,
) {
  const refund = await requestStripe(access, stripeRefund, {
    path: 'refunds',
    form: {
      payment_intent: paymentReference,
      amount: String(amount.minor),
      ...(email !== null && { instructions_email: email }),
      'metadata[payment_id]': paymentId,
      'metadata[refund_id]': refundId,
    },
    idempotencyKey: refundId,
    deadline,
  });
  return understood(refund, refundStateOf);
}

function findPayment(access: StripeAccess, sent: ProviderAttempt, deadline: AbortSignal) {
  return findObject(access, paymentIntent, (intent) => paymentStateOf(intent, sent.pages), {
    collection: 'payment_intents',
    reference: sent.reference,
    ours: { attempt_id: sent.attemptId },
    within: {
      'created[gte]': secondsOf(sent.sinceMs - CREATED_TOLERANCE_MS),
      'created[lte]': secondsOf(sent.untilMs + CREATED_TOLERANCE_MS),
    },
    deadline,
  });
}

function findRefund(
  access: StripeAccess,
  { refundId, paymentReference, reference }: ProviderRefund,
  deadline: AbortSignal,
) {
  return findObject(access, stripeRefund, refundStateOf, {
    collection: 'refunds',
    reference,
    ours: { refund_id: refundId },
    within: { payment_intent: paymentReference },
    deadline,
  });
}

/**
 * Creates something once, however often it is requested. Where Stripe may have dropped the key, it is searched for
 * before the request; where Stripe failed, after it, since a key that got a 500 gets nothing else for a day.
 */
async function requestOnce<State>(
  sinceMs: number,
  find: () => Promise<ProviderResult<State | null>>,
  request: () => Promise<ProviderResult<State>>,
): Promise<ProviderResult<State>> {
  const isForgotten = Date.now() - sinceMs > KEY_KEPT_MS;
  const before = isForgotten ? unlessMissing(await find()) : null;
  if (before !== null) {
    return before;
  }
  const result = await request();
  if (result.kind !== 'unknown' || result.why !== 'server') {
    return result;
  }
  const after = unlessMissing(await find());
  return after?.kind === 'done' ? after : result;
}

/** Null where the result is that there is nothing. */
function unlessMissing<State>(result: ProviderResult<State | null>): ProviderResult<State> | null {
  if (result.kind !== 'done') {
    return result;
  }
  return result.reported === null ? null : { kind: 'done', reported: result.reported };
}

/** Where an object of this service is searched for. */
interface SearchRange extends Pick<StripeRequest, 'deadline'> {
  readonly collection: 'payment_intents' | 'refunds';
  readonly reference: string | null;
  /** The metadata that it must have. */
  readonly ours: Readonly<Record<string, string>>;
  /** The part of the list that is searched without a reference. */
  readonly within: Readonly<Record<string, string>>;
}

interface StripeObject {
  readonly id: string;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

/**
 * Finds an object of this service by its reference, or through the list: Stripe's search finds it a minute late
 * (https://docs.stripe.com/search#data-freshness).
 */
async function findObject<Read extends StripeObject, State>(
  access: StripeAccess,
  schema: v.GenericSchema<unknown, Read>,
  read: (stored: Read) => State | null,
  { collection, reference, ours, within, deadline }: SearchRange,
): Promise<ProviderResult<State | null>> {
  const isMatch = ({ metadata }: Read) =>
    Object.entries(ours).every(([key, value]) => metadata?.[key] === value);
  if (reference !== null) {
    const path = `${collection}/${encodeURIComponent(reference)}`;
    const found = await requestStripe(access, schema, { path, deadline });
    // Stripe deletes no such objects, so these credentials are of another account.
    return found.kind === 'refused'
      ? unknown('credentials')
      : understood(found, (stored) => (isMatch(stored) ? read(stored) : null));
  }
  const list = v.object({ data: v.array(schema), has_more: v.boolean() });
  for (let after: string | undefined; ; ) {
    const cursor = after !== undefined && { starting_after: after };
    const query = new URLSearchParams({ ...within, limit: String(PAGE_MAX_ITEMS), ...cursor });
    const page = await requestStripe(access, list, { path: `${collection}?${query}`, deadline });
    if (page.kind !== 'done') {
      return page;
    }
    const { data, has_more } = page.reported;
    const found = data.find(isMatch);
    if (found !== undefined) {
      return understood({ kind: 'done', reported: found }, read);
    }
    after = data.at(-1)?.id;
    if (!has_more || after === undefined) {
      return { kind: 'done', reported: null };
    }
  }
}

/** A result in the port's terms; `unknown` where it has no meaning in them. */
function understood<Read, State>(
  result: ProviderResult<Read>,
  read: (value: Read) => State | null,
): ProviderResult<State> {
  const reported = result.kind === 'done' ? read(result.reported) : null;
  return result.kind !== 'done' ? result : reported === null ? unknown('server') : { kind: 'done', reported };
}

function secondsOf(ms: number): string {
  return String(Math.floor(ms / SECOND_MS));
}
