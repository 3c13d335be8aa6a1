import { expect, onTestFinished, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { ENDPOINT_SLOTS_MAX } from '../../shared/domain/endpoint-slot.ts';
import { endpointSlotKey } from '../../shared/store/table/keys.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { startMerchantServer } from '../support/world/merchant-server.ts';
import { createWorld } from '../support/world/resources.ts';

const { callTable } = await import('../../shared/store/table/client.ts');
const { readEndpointSlots } = await import('../../shared/store/events/endpoint-slots.ts');

const URL_THERE = 'https://shop.example.com/webhooks';

test('an endpoint that its own response of 410 disables makes room for another', {
  tags: 'slow',
}, async () => {
  const receiver = await startMerchantServer({ answer: () => 410 });
  onTestFinished(() => receiver.stop());
  const { api, merchant } = await newMerchant();
  const { api: own, id } = await fullWith(api, merchant, receiver.url);
  const create = async () => {
    const body = { url: URL_THERE, events: ['payment_link.overpaid'] };
    const { status, problem } = await own(operations.createWebhookEndpoint, { body });
    return problem.code ?? status;
  };
  expect(await create()).toBe('endpoint_limit_reached');
  await own(operations.sendTestEvent, { params: { id } });
  const { json } = await own(operations.getWebhookEndpoint, { params: { id } });
  expect(json.disabled_reason).toBe('gone');
  expect([await create(), await create()]).toEqual([201, 'endpoint_limit_reached']);
});

test('endpoints of a merchant’s own world take no slot', async () => {
  const { api, merchant } = await newMerchant();
  const { json } = await api(operations.createWebhookEndpoint, { body: { url: URL_THERE } });
  const params = { id: json.id };
  await api(operations.updateWebhookEndpoint, { params, body: { enabled: false } });
  await api(operations.updateWebhookEndpoint, { params, body: { enabled: true } });
  expect(await readEndpointSlots(merchant)).toEqual([]);
});

/** A world whose merchant has no slot left: one is held by an endpoint of this URL, the others by one beside it. */
async function fullWith(api: ReturnType<typeof clientOf>, merchant: string, url: string) {
  const { key } = await createWorld(api);
  const own = clientOf(key);
  const body = { url: URL_THERE, events: ['payment_link.overpaid'] };
  await own(operations.createWebhookEndpoint, { body });
  const [beside] = await readEndpointSlots(merchant);
  const { json } = await own(operations.createWebhookEndpoint, { body: { url, events: ['payout.*'] } });
  const taken = new Set((await readEndpointSlots(merchant)).map(({ index }) => index));
  const rest = Array.from({ length: ENDPOINT_SLOTS_MAX }, (_, index) => index).filter(
    (index) => !taken.has(index),
  );
  await Promise.all(
    rest.map((index) =>
      callTable('PutItem', { Item: { ...beside, index, ...endpointSlotKey(merchant, index) } }),
    ),
  );
  return { api: own, id: json.id };
}
