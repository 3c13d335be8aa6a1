import { expect, onTestFinished } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import type { Client } from './api.ts';
import { type MerchantServerOptions, startMerchantServer } from './merchant-server.ts';

/** All events of these tests except those about endpoints. */
export const OF_MONEY = ['payment.*', 'payment_link.*'];

export async function startReceiver(options?: MerchantServerOptions) {
  const server = await startMerchantServer(options);
  onTestFinished(() => server.stop());
  /** What came, each event once: a first attempt that a busy machine cuts off is made again. */
  const events = () => [
    ...new Map(
      server.received.map(({ body }) => JSON.parse(body)).map((event) => [event.id as string, event]),
    ).values(),
  ];
  return { ...server, events, types: () => events().map(({ type }) => String(type)) };
}

export async function createEndpoint(api: Client, body: Record<string, unknown>) {
  const { status, text, json } = await api(operations.createWebhookEndpoint, { body });
  expect(status, text).toBe(201);
  return json;
}

export function updateEndpoint(api: Client, id: string, body: Record<string, unknown>) {
  return api(operations.updateWebhookEndpoint, { params: { id }, body });
}

export function deliveriesOf(api: Client, id: string) {
  return api(operations.listEndpointDeliveries, { params: { id } });
}

export async function endpointOf(api: Client, id: string) {
  return (await api(operations.getWebhookEndpoint, { params: { id } })).json;
}
