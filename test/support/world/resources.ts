import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { expect } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { withRecentTime } from '../../../shared/docs/samples.ts';
import { DAY_MS } from '../../../shared/domain/clock.ts';
import { RESOURCE_NAMES, RESOURCES, type ResourceName } from '../../../shared/domain/resource.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { callTable } from '../../../shared/store/table/client.ts';
import { commit } from '../../../shared/store/table/commit.ts';
import { worldKey } from '../../../shared/store/table/keys.ts';
import { endEpoch } from '../../../shared/store/testkit/purge.ts';
import { findWorld, type StoredWorld } from '../../../shared/store/worlds/world.ts';
import type { Client, Received } from './api.ts';
import { DEPLOYED_SERVICE_VARIABLE } from './deployed-service.ts';
import { BUSY, resend } from './resend.ts';
import type { Sent } from './send.ts';

/** The world of a merchant, as the store has it. */
export async function worldOf(merchant: string) {
  const world = await findWorld(worldIdOf(merchant, 'test'));
  if (world === null) {
    throw new Error('the merchant has no world');
  }
  return world;
}

/** Ends the epoch of a world, as a purge does at first. @returns the world in its next epoch */
export async function endEpochOf(world: StoredWorld): Promise<StoredWorld> {
  const { merchant, epoch, counts, eventBlock } = world;
  const purge = { actionId: 'act_1', epoch, counts, eventBlock, resetAtMs: Date.now() };
  if ((await commit(endEpoch(world, randomUUID(), purge))).kind === 'conflict') {
    throw new Error('the world has changed since it was read');
  }
  return worldOf(merchant);
}

/**
 * What a test begins with: where it is refused, the test ends here, and not where it is missed. A service that is busy
 * is asked again, as clients are told to.
 */
async function made<const Row extends Operation>(
  api: Client,
  row: Row,
  sent?: Sent,
): Promise<Received<Row>['json']> {
  const keyed = { idempotencyKey: randomUUID(), ...sent };
  const { status, text, json } = await resend(['temporarily_unavailable'], () => api(row, keyed));
  expect(status, text).toBe(row.success.status);
  return json;
}

export function createPayment(api: Client, body: Record<string, unknown> = {}) {
  return made(api, operations.createPayment, {
    body: { amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay', ...body },
  });
}

export async function paymentNow(api: Client, id: string) {
  return (await api(operations.getPayment, { params: { id } })).json;
}

export function simulate(api: Client, id: string, body: Record<string, unknown>) {
  return api(operations.simulatePayment, { params: { id }, body });
}

/** The events of a resource, oldest first. */
export async function eventsOf(api: Client, resourceId: string) {
  const { json } = await api(operations.listEvents, { query: { resource_id: resourceId, limit: '100' } });
  return json.data.toReversed();
}

/** Pays a payment, as its provider would report it. */
export function pay(api: Client, id: string) {
  return made(api, operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
}

export async function createPaidPayment(api: Client, minor = 1_000) {
  const payment = await createPayment(api, { amount: { currency: 'THB', minor } });
  await pay(api, payment.id);
  return payment;
}

export function createLink(api: Client, body: Record<string, unknown> = {}) {
  const amount = { type: 'fixed', fixed: { currency: 'THB', minor: 500 } };
  return made(api, operations.createPaymentLink, { body: { amount, ...body } });
}

/** Elsewhere, no server listens at the URL of an endpoint. */
const isOwnMachine = process.env[DEPLOYED_SERVICE_VARIABLE] === undefined;
/** Long enough for a second attempt to be due. */
const RETRY_SECONDS = 6;

/**
 * An endpoint of the merchant's own. It delivers to a sink where the service accepts one: on its own machine.
 */
export async function createEndpoint(api: Client, body: Record<string, unknown> = {}) {
  const { url: sink } = await made(api, operations.createWebhookSink);
  const url = isOwnMachine ? sink : 'https://shop.example.com/webhooks';
  return made(api, operations.createWebhookEndpoint, { body: { url, ...body } });
}

/** A test world beside the caller's, with its key. */
export function createWorld(api: Client, body: Record<string, unknown> = {}) {
  return made(api, operations.createTestWorld, { body: { name: 'a test', ...body } });
}

/** A request that a row accepts, with the resources that its path names made first. */
export async function acceptableRequest(row: Operation, api: Client): Promise<Sent> {
  if (row.permission === null) {
    return publicRequest(row, api);
  }
  const body = row.body === undefined ? {} : { body: withRecentTime(row.example ?? {}) };
  const params = await paramsFor(row, api);
  return params === null ? body : { params, ...body };
}

/** What pages of the documentation are about, by the names in their paths. */
const DOCUMENTED = {
  guide: 'webhooks',
  operation: 'createPayment',
  name: 'Payment',
  type: 'payment.succeeded',
  code: 'invalid_state',
};

/** A request that requires no key: its address is what authorizes it. */
async function publicRequest(row: Operation, api: Client): Promise<Sent> {
  const form = (fields: Record<string, string>) => ({
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  const [, kind, name] = /^\/(.+)\/\{(\w+)\}/.exec(row.path) ?? [];
  if ('orJson' in row.success) {
    return { params: DOCUMENTED, headers: { Accept: 'text/html' } };
  }
  switch (kind) {
    case undefined:
      return {};
    case 'checkout': {
      const { checkout_url: url } = await createPayment(api, { checkout: true });
      return {
        params: { token: lastSegment(url) },
        ...(row.method === 'POST' && form({ action: 'pay', version: '1' })),
      };
    }
    case 'l': {
      const { url } = await createLink(api, { max_uses: 1 });
      return {
        params: { code: lastSegment(url) },
        ...(row.method === 'POST' && form({ attempt: 'attempt-1' })),
      };
    }
    case 'providers/{provider}': {
      const { notification, connection } = await notificationOfNothing();
      return { params: { provider: connection.kind, token: connection.token }, ...notification };
    }
    case 'sink': {
      const { url } = await made(api, operations.createWebhookSink);
      return { params: { token: lastSegment(url) }, body: { received: 'something' } };
    }
    default:
      throw new Error(`say here what {${name}} of ${row.path} is`);
  }
}

/** A notification that a provider has signed, about something that is no payment. */
async function notificationOfNothing() {
  // The bench, which is no test run, has none of these.
  const { newConnected } = await import('./live-merchant.ts');
  const secret = `whsec_${randomUUID()}`;
  const { connection } = await newConnected({ secret_key: 'sk_test_1', webhook_secret: secret });
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, data: { object: { object: 'account' } } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature };
  return { connection, notification: { body, headers } };
}

function lastSegment(url: string | null): string {
  return String(url).split('/').at(-1) ?? '';
}

/** Another acceptable body for the same request, or null for a row that leaves no choice. */
export function changedBody(row: Operation, { params, body }: Sent): unknown {
  const entries = Object.keys((row.body as { entries?: object } | undefined)?.entries ?? {});
  const changes = {
    [row.bodyId ?? '']: params?.id,
    description: 'changed',
    name: 'changed',
    profile: 'e2e',
    provider: 'x',
    seconds: 2,
    overlap_hours: 2,
    since: new Date(Date.now() - 2 * DAY_MS).toISOString(),
  };
  const change = Object.entries(changes).find(([name]) => entries.includes(name));
  return change === undefined ? null : { ...(body as object), [change[0]]: change[1] };
}

/** Creates one of each kind through the API if the example of an operation is not enough. Returns its id. */
const MAKING: { readonly [Name in ResourceName]?: (api: Client, row: Operation) => Promise<string> } = {
  payment: async (api, { path }) =>
    (path.endsWith('/refunds') ? await createPaidPayment(api, 100_000) : await createPayment(api)).id,
  refund: async (api) => (await createRefund(api)).id,
  paymentLink: async (api) => (await createLink(api)).id,
  payout: createPayout,
  settlement: async (api) => {
    await createPayout(api);
    return String((await api(operations.listSettlements)).json.data[0]?.id);
  },
};

async function eventIn(api: Client): Promise<string> {
  await createPayment(api);
  await moveClock(api, 1);
  return String((await api(operations.listEvents)).json.data[0]?.id);
}

async function paramsFor(row: Operation, api: Client): Promise<Record<string, string> | null> {
  if (row.errors.includes('webhook_endpoint_not_found')) {
    const { id } = await createEndpoint(api);
    return row.path.includes('{delivery_id}')
      ? deliveryOf(api, id, operations.listEndpointDeliveries)
      : { id };
  }
  if (row.errors.includes('sink_not_found')) {
    const { id } = await made(api, operations.createWebhookSink);
    return row.path.includes('{delivery_id}') ? deliveryOf(api, id, operations.listDeliveries) : { id };
  }
  if (row.errors.includes('world_not_found')) {
    return { id: (await createWorld(api)).id };
  }
  if (row.errors.includes('event_not_found')) {
    return { id: await eventIn(api) };
  }
  const name = RESOURCE_NAMES.find((each) => row.errors.includes(RESOURCES[each].missing));
  return name === undefined ? null : { id: await (MAKING[name] ?? createOne)(api, row) };
}

/** Sends the request that creates a resource which a row requires: with the same schema, and no other requirement. */
async function createOne(api: Client, { errors }: Operation): Promise<string> {
  const missing = errors.filter((code) => code.endsWith('_not_found'));
  const isMissing = (row: Operation) => row.errors.some((code) => missing.includes(code));
  const shown = allOperations.find((row) => row.method === 'GET' && isMissing(row))?.success;
  const create = allOperations.find(
    (row) =>
      row.method === 'POST' &&
      !isMissing(row) &&
      shown !== undefined &&
      nameOf(row) === nameOf({ success: shown }),
  );
  if (create === undefined) {
    throw new Error(`no operation creates what ${missing} is about: say here how one comes to be`);
  }
  const { id } = (await made(api, create, await acceptableRequest(create, api))) as { id: string };
  return id;
}

function nameOf({ success }: Pick<Operation, 'success'>): string | undefined {
  return 'name' in success ? success.name : undefined;
}

export async function createRefund(api: Client, body: Record<string, unknown> = {}) {
  const { id } = await createPaidPayment(api);
  return made(api, operations.requestRefund, { params: { id }, body });
}

/** A payout, by settling a payment. */
export async function createPayout(api: Client): Promise<string> {
  await createPaidPayment(api);
  return String((await made(api, operations.simulateSettlement)).payout_id);
}

async function deliveryOf(
  api: Client,
  id: string,
  row: typeof operations.listDeliveries | typeof operations.listEndpointDeliveries,
) {
  await createPayment(api);
  await moveClock(api, 1);
  if (!isOwnMachine && row === operations.listEndpointDeliveries) {
    await dropAttempts(api, id);
  }
  const { json } = await api(row as Operation, { params: { id } });
  return { id, delivery_id: String((json as { data: { id: string }[] }).data[0]?.id) };
}

/** Drops queued attempts to an endpoint without a server, so that no job runs by itself. */
async function dropAttempts(api: Client, id: string): Promise<void> {
  const turn = (enabled: boolean) =>
    made(api, operations.updateWebhookEndpoint, { params: { id }, body: { enabled } });
  await turn(false);
  await moveClock(api, RETRY_SECONDS);
  await turn(true);
}

type Advanced = Received<typeof operations.advanceClock>['json'];

/**
 * Moves the merchant's clock ahead by an API call, sends it again while another move or a slow machine is in the way, and,
 * where jobs are left over, waits until they have run too.
 * @returns the response to the move itself
 */
export async function moveClock(api: Client, seconds: number): Promise<Advanced> {
  const move = { body: { seconds }, idempotencyKey: randomUUID() };
  const { status, json, text } = await resend(BUSY, () => api(operations.advanceClock, move));
  expect(status, text).toBe(200);
  if (json.shifted.jobs_remaining > 0) {
    await moveClock(api, 1);
  }
  return json;
}

/** Sets the merchant's clock so far ahead of real time. */
export async function passTime(merchant: string, aheadMs: number): Promise<void> {
  await callTable('UpdateItem', {
    Key: worldKey(worldIdOf(merchant, 'test')),
    UpdateExpression: 'SET clockOffsetMs = :ahead',
    ExpressionAttributeValues: { ':ahead': aheadMs },
  });
}
