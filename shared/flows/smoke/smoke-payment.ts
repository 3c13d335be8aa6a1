import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Permission } from '../../contract/permissions.ts';
import type { SmokeCall, SmokeRequest } from './smoke-call.ts';

/** What its key may do, and nothing more. The last one is for its sink. */
export const SMOKE_PERMISSIONS: readonly Permission[] = [
  'payment.create',
  'payment.read',
  'event.read',
  'simulate',
];

/** Events come within a second, or a minute later with a tick of the clock. */
const WAITED_MS = 75_000;
const POLL_MS = 1_000;
/** The newest attempts among which one is looked for: several payments may be on their way at a time. */
const ATTEMPTS = '100';
const EXPECTED_EVENTS = ['payment.created', 'payment.succeeded'];

const ORDER = {
  amount: { currency: 'THB', minor: 100 },
  method: 'promptpay',
  /** A page, although the method is chosen. */
  checkout: true,
  reference: 'smoke',
} as const;

interface SmokeOptions {
  /** Without the test kit there is no sink: then nothing shows that events are delivered, only that they are published. */
  readonly hasTestKit: boolean;
  /** How long each thing is waited for. */
  readonly waitMs?: number;
}

interface ListedEvent {
  readonly id: string;
  readonly type: string;
}

interface ListedAttempt {
  readonly event_id: string;
  readonly status: string;
  readonly signature_verdict: string;
}

/**
 * Takes one payment of test mode from its creation to its webhook, as a merchant and a payer see it. It is paid by the
 * button of its page, which a stage without the test kit has, too.
 * @throws Error that says what was not as expected, without anything that was sent
 */
export async function takeSmokePayment(
  call: SmokeCall,
  { hasTestKit, waitMs = WAITED_MS }: SmokeOptions,
): Promise<void> {
  const sinkId = hasTestKit ? await findSink(call) : null;
  const created = await askJson<{ id: string; checkout_url: string }>(call, operations.createPayment, {
    body: ORDER,
  });
  const { id } = created;
  await payOnPage(call, created.checkout_url.split('/').at(-1) ?? '');
  await until('the payment to succeed', waitMs, async () => {
    const { status } = await askJson<{ status: string }>(call, operations.getPayment, { params: { id } });
    return status === 'succeeded' || null;
  });
  const eventId = await until('its events to be published', waitMs, () => findSuccess(call, id));
  if (sinkId !== null) {
    await until('its webhook to be delivered and verified', waitMs, () =>
      findDelivered(call, sinkId, eventId),
    );
  }
}

/** The sink of all smoke payments, made by the first one. */
async function findSink(call: SmokeCall): Promise<string> {
  const { data } = await askJson<{ data: readonly { id: string }[] }>(call, operations.listWebhookSinks);
  const [sink] = data;
  return (sink ?? (await askJson<{ id: string }>(call, operations.createWebhookSink, { body: {} }))).id;
}

/** Presses the button that pays. The page says which turn of the payment the button is for. */
async function payOnPage(call: SmokeCall, token: string): Promise<void> {
  const page = await expectStatus(call, operations.getCheckoutPage, { params: { token } });
  const [, version = ''] = /name="version" value="([^"]*)"/.exec(page) ?? [];
  await expectStatus(call, operations.actOnCheckout, {
    params: { token },
    form: { action: 'pay', version },
  });
}

async function findSuccess(call: SmokeCall, paymentId: string): Promise<string | null> {
  const query = { resource_id: paymentId };
  const { data } = await askJson<{ data: readonly ListedEvent[] }>(call, operations.listEvents, { query });
  const isWhole = EXPECTED_EVENTS.every((type) => data.some((event) => event.type === type));
  return isWhole ? (data.find(({ type }) => type === 'payment.succeeded')?.id ?? null) : null;
}

async function findDelivered(call: SmokeCall, sinkId: string, eventId: string): Promise<true | null> {
  const request = { params: { id: sinkId }, query: { limit: ATTEMPTS } };
  const page = await askJson<{ data: readonly ListedAttempt[] }>(call, operations.listDeliveries, request);
  return page.data.some(
    ({ event_id, status, signature_verdict }) =>
      event_id === eventId && status === 'delivered' && signature_verdict === 'valid',
  )
    ? true
    : null;
}

async function until<Found>(what: string, waitMs: number, find: () => Promise<Found | null>): Promise<Found> {
  const endsAtMs = Date.now() + waitMs;
  for (;;) {
    const found = await find();
    if (found !== null) {
      return found;
    }
    if (Date.now() >= endsAtMs) {
      throw new Error(`waited ${waitMs} ms for ${what}`);
    }
    await sleep(POLL_MS);
  }
}

async function askJson<Body>(call: SmokeCall, row: Operation, request?: SmokeRequest): Promise<Body> {
  return JSON.parse(await expectStatus(call, row, request));
}

/** A form of a page leads back to its page. */
async function expectStatus(call: SmokeCall, row: Operation, request?: SmokeRequest): Promise<string> {
  const { status, text } = await call(row, request);
  if (status !== row.success.status && status !== 303) {
    throw new Error(`${row.method} ${row.path} responded with ${status}`);
  }
  return text;
}
