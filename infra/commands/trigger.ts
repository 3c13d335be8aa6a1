import { randomUUID } from 'node:crypto';
import { ConnectionError } from '../../shared/client/call-error.ts';
import type { Client } from '../../shared/client/client.ts';
import type { FieldsOf } from '../../shared/client/method.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { FAILING_MAX_MS } from '../../shared/domain/endpoint-limits.ts';
import { AMOUNT_MAX_MINOR } from '../../shared/domain/money.ts';
import { APPROVAL_AFTER_MS, SEND_AFTER_MS } from '../../shared/domain/refund.ts';
import type { EventType } from '../../shared/domain/resource.ts';
import { type Event, followEvents, positionOfNow } from '../events/follow-events.ts';

/* The smallest steps that cause an event of each type in a test world. */

const PUBLISHED_WITHIN_MS = 30_000;
const AMOUNT_MINOR = 10_000;
/** The factor by which the next payment grows, if the payments so far do not make up for the refunds of the world. */
const RAISE = 1_000;

/** Fields that identify the object of an event: mostly its id. */
type EventSubject = Readonly<Record<string, unknown>>;

interface TriggerWorld {
  readonly client: Client;
  /** Waits for an event that follows the start of this command. @throws Error if it does not come in time */
  readonly awaitEvent: (type: EventType, of: EventSubject) => Promise<Event>;
}

/** The steps for each type. */
const MAKING: Readonly<Record<EventType, (world: TriggerWorld) => Promise<EventSubject>>> = {
  'payment.created': ({ client }) => create(client, {}),
  'payment.requires_action': ({ client }) => create(client, { method: 'promptpay' }),
  'payment.processing': ({ client }) => simulate(client, 'pending'),
  'payment.amount_mismatch': ({ client }) => simulate(client, 'mismatch'),
  'payment.succeeded': ({ client }) => simulate(client, 'succeeded'),
  'payment.failed': ({ client }) => simulate(client, 'failed'),
  'payment.expired': async ({ client }) => {
    const payment = await create(client, { expires_in_minutes: 1 });
    await client.advanceClock({ seconds: 60 });
    return payment;
  },
  'payment.canceled': async ({ client }) => awaitId(client.cancelPayment((await create(client, {})).id)),

  'refund.requested': ({ client }) => refund(client),
  'refund.approved': ({ client }) => refundAfter(client, APPROVAL_AFTER_MS),
  'refund.processing': ({ client }) => refundAfter(client, APPROVAL_AFTER_MS + SEND_AFTER_MS),
  'refund.rejected': ({ client }) => endRefund(client, 'succeeded', { reason_code: 9999 }),
  'refund.succeeded': ({ client }) => endRefund(client, 'succeeded'),
  'refund.failed': ({ client }) => endRefund(client, 'failed'),
  'refund.canceled': async ({ client }) => awaitId(client.cancelRefund((await refund(client)).id)),

  'payment_link.created': ({ client }) => awaitId(createLink(client)),
  'payment_link.disabled': async ({ client }) =>
    awaitId(client.disablePaymentLink((await createLink(client)).id)),
  'payment_link.overpaid': overpayLink,

  'payout.created': ({ client }) => pay(client),
  'payout.paid': ({ client }) => endPayout(client, 'paid'),
  'payout.returned': ({ client }) => endPayout(client, 'returned'),
  'payout.failed': ({ client }) => endPayout(client, 'failed'),

  'settlement.matched': ({ client }) => settle(client),
  'settlement.mismatched': ({ client }) => settle(client, { amount: baht(1) }),

  'webhook_endpoint.created': ({ client }) => withEndpoint(client, async () => undefined),
  'webhook_endpoint.updated': ({ client }) =>
    withEndpoint(client, (id) => client.updateWebhookEndpoint(id, { description: 'triggered' })),
  'webhook_endpoint.deleted': ({ client }) => withEndpoint(client, async () => undefined),
  'webhook_endpoint.disabled': failEndpoint,
};

/**
 * Causes an event of a type in the key's own test world, and may move its clock.
 * @returns the event
 * @throws ProblemError `test_mode_only` for a live key, before anything is created
 */
export async function trigger(
  client: Client,
  type: EventType,
  publishedWithinMs = PUBLISHED_WITHIN_MS,
): Promise<Event> {
  try {
    await client.getClock();
    const { position } = await positionOfNow(client);
    const awaitEvent = async (sought: EventType, of: EventSubject): Promise<Event> => {
      const signal = AbortSignal.timeout(publishedWithinMs);
      for await (const event of followEvents(client, position, signal, () => undefined)) {
        if (event.type === sought && isEventOf(event, of)) {
          return event;
        }
      }
      throw new Error(`${sought} was not published within ${publishedWithinMs / SECOND_MS} seconds.`);
    };
    return await awaitEvent(type, await MAKING[type]({ client, awaitEvent }));
  } catch (error) {
    throw error instanceof ConnectionError ? withoutKey(error) : error;
  }
}

function isEventOf({ data }: Event, of: EventSubject): boolean {
  const object: EventSubject = { ...data.object };
  return Object.entries(of).every(([name, value]) => object[name] === value);
}

/** Removes the key from the error: it belongs to one of several calls, so it cannot be used to repeat the command. */
function withoutKey(error: ConnectionError): ConnectionError {
  const { reason, status, operation, attempts, address, cause } = error;
  return new ConnectionError(reason, status, { operation, attempts, address, idempotencyKey: null }, cause);
}

function baht(minor: number) {
  return { currency: 'THB', minor } as const;
}

async function awaitId(made: PromiseLike<{ readonly id: string }>) {
  const { id } = await made;
  return { id };
}

function create(client: Client, fields: Partial<FieldsOf<'createPayment'>>) {
  return awaitId(client.createPayment({ amount: baht(AMOUNT_MINOR), ...fields }));
}

async function simulate(
  client: Client,
  outcome: FieldsOf<'simulatePayment'>['outcome'],
  minor = AMOUNT_MINOR,
) {
  const payment = await create(client, { amount: baht(minor), method: 'promptpay' });
  await client.simulatePayment(payment.id, { outcome });
  return payment;
}

async function refund(client: Client, fields: FieldsOf<'requestRefund'> = {}) {
  const payment = await simulate(client, 'succeeded');
  return awaitId(client.requestRefund(payment.id, fields));
}

async function refundAfter(client: Client, afterMs: number) {
  const requested = await refund(client);
  await client.advanceClock({ seconds: afterMs / SECOND_MS });
  return requested;
}

async function endRefund(
  client: Client,
  outcome: FieldsOf<'simulateRefund'>['outcome'],
  fields?: FieldsOf<'requestRefund'>,
) {
  const requested = await refund(client, fields);
  await client.simulateRefund(requested.id, { outcome });
  return requested;
}

function createLink(client: Client, fields: Partial<FieldsOf<'createPaymentLink'>> = {}) {
  const amount = { type: 'fixed', fixed: baht(AMOUNT_MINOR) } as const;
  return client.createPaymentLink({ amount, ...fields });
}

/** A cancellation frees the link's only use, another payment takes it, and then the canceled payment is paid anyway. */
async function overpayLink({ client, awaitEvent }: TriggerWorld) {
  const { id, url } = await createLink(client, { max_uses: 1 });
  await openByForm(url);
  const { data } = await awaitEvent('payment.created', { payment_link_id: id });
  const paymentId = String((data.object as EventSubject).id);
  await client.cancelPayment(paymentId);
  await openByForm(url);
  await client.simulatePayment(paymentId, { outcome: 'succeeded' });
  return { id };
}

/** Creates an endpoint at a reserved name (RFC 2606), runs `act` with its id, and deletes it. */
async function withEndpoint(client: Client, act: (id: string) => PromiseLike<unknown>) {
  const { id } = await client.createWebhookEndpoint({
    url: 'https://pg-trigger.invalid/',
    events: ['payment_link.created'],
  });
  await act(id);
  await client.deleteWebhookEndpoint(id);
  return { id };
}

/** Makes an endpoint fail until it is disabled. */
function failEndpoint({ client, awaitEvent }: TriggerWorld) {
  return withEndpoint(client, async (id) => {
    for (const seconds of [FAILING_MAX_MS / SECOND_MS, 1]) {
      await createLink(client);
      // Dispatches the event before the clock moves far ahead.
      await client.advanceClock({ seconds: 1 });
      await client.advanceClock({ seconds });
    }
    await awaitEvent('webhook_endpoint.disabled', { id });
  });
}

/** Creates a payment by the form of a link's page, as a payer does. */
async function openByForm(url: string): Promise<void> {
  const { status } = await fetch(url, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' });
  if (status !== 303) {
    throw new Error(`The page of the payment link responded with ${status}.`);
  }
}

/** Pays a payment and settles everything with a new provider, since each provider settles once a day. */
async function settle(client: Client, fields: FieldsOf<'simulateSettlement'> = {}) {
  const provider = `trigger-${randomUUID()}`;
  for (let minor = AMOUNT_MINOR; minor < AMOUNT_MAX_MINOR * RAISE; minor *= RAISE) {
    await simulate(client, 'succeeded', Math.min(minor, AMOUNT_MAX_MINOR));
    const { outcome, payout_id } = await client.simulateSettlement({ provider, ...fields });
    if (outcome !== 'empty') {
      return { provider, payout_id };
    }
  }
  throw new Error('The refunds of this world exceed its payments, so there is nothing to settle.');
}

async function pay(client: Client) {
  const { payout_id } = await settle(client);
  return { id: String(payout_id) };
}

async function endPayout(client: Client, outcome: FieldsOf<'simulatePayout'>['outcome']) {
  const payout = await pay(client);
  await client.simulatePayout(payout.id, { outcome });
  return payout;
}
