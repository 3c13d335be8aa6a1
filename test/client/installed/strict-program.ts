import {
  answerOf,
  ConnectionError,
  createClient,
  isProblem,
  type Payment,
  type WebhookEvent,
  webhooks,
} from 'payments-kit';

/*
 * Compiled by installed.slow.test.ts, as strictly as TypeScript can, against the client as npm installs it: everything
 * here is typed, and each marked line is refused.
 */

interface Settings {
  readonly baseUrl: string;
  readonly key: string;
  /** Undefined where it is not set. */
  readonly timeoutMs?: number | undefined;
}

export async function takePayment(
  { baseUrl, key, timeoutMs }: Settings,
  reference?: string,
): Promise<Payment> {
  const client = createClient({ baseUrl, key, timeoutMs });
  const amount = { currency: 'THB', minor: 129_900 } as const;
  const payment = await client.createPayment({ amount, method: 'promptpay', reference }, undefined);
  if (payment.next_action?.type === 'display_qr') {
    payment.next_action.qr.payload.startsWith('000201');
  }
  const { cart } = payment.metadata;
  answerOf(payment).headers.get(cart?.toString() ?? 'pg-clock');
  const [first] = (await client.listPayments({ limit: 1, status: 'succeeded' })).data;
  for await (const event of client.listEvents({ after_sequence: 0 })) {
    resourceOf(event);
  }
  return first ?? payment;
}

export async function cancelIfOpen({ baseUrl, key }: Settings, id: string): Promise<string> {
  try {
    return (await createClient({ baseUrl, key }).cancelPayment(id)).customer.email ?? 'nobody';
  } catch (error) {
    if (isProblem(error, 'invalid_state')) {
      const status: 409 = error.status;
      return `${status}: ${error.details.current_status} is not in ${error.details.allowed_from.join()}`;
    }
    if (isProblem(error)) {
      return error.code === 'refund_amount_exceeded'
        ? error.details.refundable_minor.toFixed()
        : error.errors.map(({ field, code }) => `${field} ${code}`).join();
    }
    return error instanceof ConnectionError ? `${error.reason} ${error.idempotencyKey ?? ''}` : 'unknown';
  }
}

export function received(body: Uint8Array, headers: Headers, secrets: readonly string[]): string {
  return resourceOf(webhooks.verify(body, headers, secrets[0] ?? ''));
}

function resourceOf(event: WebhookEvent): string {
  switch (event.type) {
    case 'payment.succeeded':
      return event.data.object.succeeded_at ?? event.data.object.number;
    case 'refund.failed':
      return event.data.object.payment_id;
    case 'settlement.mismatched':
      return event.data.object.expected.minor.toFixed();
    default:
      return `${event.type} ${event.data.object.id}`;
  }
}

/** The type of one event can be named. */
export type Paid = Extract<WebhookEvent, { type: 'payment.succeeded' }>;
export const numberOf = (event: Paid): string => event.data.object.number;

type Client = ReturnType<typeof createClient>;
const MONEY = { currency: 'THB', minor: 2_000 } as const;

export const REFUSED = [
  // @ts-expect-error an amount is required
  (client: Client) => client.createPayment({}),
  // @ts-expect-error no such status
  (client: Client) => client.listPayments({ status: 'lost' }),
  // @ts-expect-error no such method
  (client: Client) => client.createGold(),
  // @ts-expect-error a key is required
  () => createClient({ baseUrl: 'http://127.0.0.1' }),
  // @ts-expect-error a payout has no method of payment
  (event: Extract<WebhookEvent, { type: 'payout.paid' }>) => event.data.object.method,
  // @ts-expect-error an open amount is not fixed
  (client: Client) => client.createPaymentLink({ amount: { type: 'open', fixed: MONEY } }),
  // @ts-expect-error what a newer service may say is looked up by its name
  (error: unknown) => isProblem(error, 'event_conflict') && error.details.current_status,
];
