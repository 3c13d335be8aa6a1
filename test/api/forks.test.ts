import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import {
  createEndpoint,
  createLink,
  createPaidPayment,
  createPayment,
  createRefund,
  createWorld,
  moveClock,
  pay,
} from '../support/world/resources.ts';

const LISTS = [
  operations.listPayments,
  operations.listRefunds,
  operations.listPaymentLinks,
  operations.listPayouts,
  operations.listSettlements,
  operations.listEvents,
] as const;
/** Addresses, which are a world's own, and the time of the response. */
const OWN = /"(?:url|code|checkout_url|image_svg_url|as_of)":"[^"]*"/g;

/** Whole addresses, and codes, tokens and secrets by themselves. */
const ADDRESSES =
  /https?:[^"]*\/(?:checkout|l|sink)\/[^"]*|(?<="code":")[0-9a-z]{10}(?=")|whsec_[^"]*|(?<=\/sink\/)[0-9A-Za-z]{32}/g;

async function fork(api: Client, id: string) {
  const { status, text, json } = await api(operations.forkTestWorld, {
    params: { id },
    body: { name: 'fork' },
  });
  expect(status, text).toBe(201);
  return { ...json, api: clientOf(json.key) };
}

/** The own test world of a new merchant. */
async function newSource() {
  const { api, merchant } = await newMerchant();
  return { api, merchant, id: (await api(operations.getKey)).json.world };
}

/** Everything that reads show of a world, without its addresses. */
async function contentOf(api: Client): Promise<string[]> {
  const reads = [
    ...LISTS.map((row) => api(row, { query: { limit: '100' } })),
    api(operations.getBalance),
    api(operations.getDailyStatistics),
  ];
  return (await Promise.all(reads)).map(({ text }) => text.replaceAll(OWN, ''));
}

test('a fork has the content, the ids and the clock of its source', { tags: 'slow' }, async () => {
  const { api, id } = await newSource();
  await api(operations.seedTestData, { body: { profile: 'small' } });
  await moveClock(api, 3_600);
  await createRefund(api);
  await createLink(api, { description: 'two seats' });
  const { number } = await createPayment(api, { reference: 'order-1' });
  await moveClock(api, 1);
  const made = await fork(api, id);
  expect(await contentOf(made.api)).toEqual(await contentOf(api));
  const query = { reference: 'order-1' };
  expect((await made.api(operations.listPayments, { query })).json.data).toMatchObject([{ number }]);
  expect((await made.api(operations.getClock)).json.offset_seconds).toBe(3_601);
  const [next, other] = [await createPayment(made.api), await createPayment(api)];
  expect(next.number).toBe(other.number);
  const again = await made.api(operations.seedTestData, { body: { profile: 'small' } });
  expect(again.json.already_seeded).toBe(true);
});

test('what happens in a fork is not seen in its source, nor the other way round', {
  tags: 'slow',
}, async () => {
  const { api, id } = await newSource();
  const [open, paid] = [await createPayment(api, { method: 'promptpay' }), await createPaidPayment(api)];
  await moveClock(api, 1);
  const made = await fork(api, id);
  const statusIn = async (each: Client, payment: { id: string }) =>
    (await each(operations.getPayment, { params: { id: payment.id } })).json.status;
  // The job that expires the payment is copied.
  await moveClock(made.api, 16 * 60);
  expect([await statusIn(made.api, open), await statusIn(api, open)]).toEqual(['expired', 'requires_action']);
  await pay(api, open.id);
  await made.api(operations.requestRefund, { params: { id: paid.id }, idempotencyKey: 'refund' });
  expect([await statusIn(made.api, open), await statusIn(api, open)]).toEqual(['expired', 'succeeded']);
  expect((await api(operations.listRefunds)).json.data).toEqual([]);
  await api(operations.purgeTestData);
  expect(await statusIn(made.api, paid)).toBe('succeeded');
});

test('the pages, links and sinks of a fork lead into the fork alone', { tags: 'slow' }, async () => {
  const { api, id } = await newSource();
  const { json: sink } = await api(operations.createWebhookSink);
  const link = await createLink(api);
  const payment = await createPayment(api, { checkout: true, method: 'promptpay' });
  await moveClock(api, 1);
  const received = async (each: Client) =>
    (await each(operations.getWebhookSink, { params: { id: sink.id } })).json.received_count;
  const before = await received(api);
  const made = await fork(api, id);
  const { url } = (await made.api(operations.getPaymentLink, { params: { id: link.id } })).json;
  expect(url).not.toBe(link.url);
  expect((await fetch(url, { method: 'POST', redirect: 'manual' })).status).toBe(303);
  const counts = await Promise.all(
    [api, made.api].map(async (each) => (await each(operations.listPayments)).json.data.length),
  );
  expect(counts).toEqual([1, 2]);
  const page = (await made.api(operations.getPayment, { params: { id: payment.id } })).json.checkout_url;
  expect(page).not.toBe(payment.checkout_url);
  await made.api(operations.cancelPayment, { params: { id: payment.id } });
  const shown = await Promise.all(
    [payment.checkout_url, page].map(async (at) => (await fetch(String(at))).text()),
  );
  expect(shown.map((html) => html.includes('class="qr"'))).toEqual([true, false]);
  await expect.poll(() => received(made.api)).toBeGreaterThan(before);
  expect(await received(api)).toBe(before);
});

/** Every address, code and secret that a key with all permissions reads of a world. */
async function addressesOf(api: Client): Promise<string[]> {
  const reads = [...LISTS, operations.listWebhookSinks, operations.listRequests].map((row) => api(row));
  const { data } = (await api(operations.listWebhookSinks)).json;
  const sinks = data.flatMap(({ id }) =>
    [operations.getWebhookSink, operations.listDeliveries].map((row) => api(row, { params: { id } })),
  );
  const texts = (await Promise.all([...reads, ...sinks])).map(({ text }) => text);
  return [...new Set(texts.flatMap((text) => text.match(ADDRESSES) ?? []))];
}

/** A world with a page, a QR picture, a provider's page, a link that was used, and a sink that got their events. */
async function newAddressedSource() {
  const { api, id } = await newSource();
  await api(operations.createWebhookSink);
  await createPayment(api, { checkout: true, method: 'promptpay' });
  await createPayment(api, { method: 'truemoney' });
  const { id: canceled } = await createPayment(api, { checkout: true });
  await api(operations.cancelPayment, { params: { id: canceled } });
  const { id: link, url } = await createLink(api, { max_uses: 1 });
  const { location } = Object.fromEntries((await fetch(url, { method: 'POST', redirect: 'manual' })).headers);
  await api(operations.disablePaymentLink, { params: { id: link } });
  await moveClock(api, 1);
  return { api, id, url, page: String(location) };
}

test('no address, code or secret of a fork is one of its source', { tags: 'slow' }, async () => {
  const { api, id } = await newAddressedSource();
  const before = await addressesOf(api);
  const made = await fork(api, id);
  const copied = await addressesOf(made.api);
  expect(copied).toHaveLength(before.length);
  expect(copied.filter((address) => before.includes(address))).toEqual([]);
});

test("the addresses in a fork's events lead into the fork, and the source's do not", {
  tags: 'slow',
}, async () => {
  const { api, id, page } = await newAddressedSource();
  const made = await fork(api, id);
  const opened = async (each: Client) => {
    const addresses = (await addressesOf(each)).filter((text) => text.startsWith('http'));
    return Promise.all(
      addresses.map(async (at) => [new URL(at).pathname.split('/')[1], (await fetch(at)).status]),
    );
  };
  const [source, copy] = [await opened(api), await opened(made.api)];
  expect(copy.toSorted()).toEqual(source.toSorted());
  // The same payment in the other world, by the secret of this one.
  const worldIdOf = (at: string) => String(at.split('/checkout/')[1]).slice(0, 16);
  const other = String((await addressesOf(made.api)).find((text) => text.includes('/checkout/')));
  expect(worldIdOf(other)).not.toBe(worldIdOf(page));
  expect((await fetch(page.replace(worldIdOf(page), worldIdOf(other)))).status).toBe(404);
  expect((await fetch(page)).status).toBe(200);
});

test('a payer of a fork whose payment failed starts again at the link of the fork', {
  tags: 'slow',
}, async () => {
  const { api, id } = await newSource();
  const link = await createLink(api, { max_uses: 2 });
  await fetch(link.url, { method: 'POST', redirect: 'manual' });
  await moveClock(api, 1);
  const made = await fork(api, id);
  const { json } = await made.api(operations.listPayments);
  const { id: payment, checkout_url: page } = json.data[0] ?? {};
  await made.api(operations.simulatePayment, {
    params: { id: String(payment) },
    body: { outcome: 'failed' },
  });
  const html = await (await fetch(String(page))).text();
  const { code } = (await made.api(operations.getPaymentLink, { params: { id: link.id } })).json;
  expect(html).toContain(`/l/${code}`);
  expect(html).not.toContain(link.code);
});

const SHOWN = ['payment.read', 'refund.read', 'paymentlink.read', 'event.read', 'webhook.read', 'simulate'];

test('a key forks only what it may read, and is told all that it lacks', { tags: 'slow' }, async () => {
  const { api, id, merchant } = await newSource();
  const forkWith = async (permissions: readonly string[], source = id) => {
    const { secret } = await newKey({ merchant, permissions });
    const sent = { params: { id: source }, body: { name: 'fork' } };
    return (await clientOf(secret)(operations.forkTestWorld, sent)).problem;
  };
  const { id: created } = await createWorld(api);
  for (const source of [id, created]) {
    const refused = await forkWith(['world.create'], source);
    expect([refused.code, refused.details]).toEqual(['permission_denied', { required: SHOWN }]);
    expect(refused.detail).toContain('refund.read');
  }
  for (const permission of SHOWN) {
    const { details } = await forkWith(['world.create', ...SHOWN].filter((one) => one !== permission));
    expect(details).toEqual({ required: permission });
  }
  expect((await api(operations.listTestWorlds)).json.data).toHaveLength(1);
  expect(await forkWith(['world.create', ...SHOWN])).toMatchObject({ name: 'fork' });
});

test('a fork delivers what its sinks still have to get, and has no other endpoints', {
  tags: 'slow',
}, async () => {
  const { api, id } = await newSource();
  const { json: sink } = await api(operations.createWebhookSink);
  const params = { id: sink.id };
  await api(operations.updateWebhookSink, { params, body: { fail_count: 1 } });
  await createEndpoint(api, { url: 'https://example.com/hook' });
  await createLink(api);
  const attempts = async (each: Client) =>
    (await each(operations.listDeliveries, { params })).json.data.map(
      ({ answered_status }) => answered_status,
    );
  await expect.poll(() => attempts(api)).toContain(500);
  const made = await fork(api, id);
  expect((await made.api(operations.listWebhookEndpoints)).json.data).toEqual([]);
  expect(await attempts(made.api)).toEqual(await attempts(api));
  await moveClock(made.api, 5);
  expect((await attempts(made.api)).slice(0, 1)).toEqual([200]);
});

test('a request with an Idempotency-Key of the source is a new one in the fork', {
  tags: 'slow',
}, async () => {
  const { api, id } = await newSource();
  const order = { body: { amount: { currency: 'THB', minor: 100 } }, idempotencyKey: 'order' };
  const { json } = await api(operations.createPayment, order);
  await moveClock(api, 1);
  const made = await fork(api, id);
  expect((await made.api(operations.createPayment, order)).json.id).not.toBe(json.id);
});

test('a created world is forked by those that see it, and by no others', { tags: 'slow' }, async () => {
  const { api } = await newMerchant();
  const [one, two] = [await createWorld(api), await createWorld(api)];
  expect((await fork(api, one.id)).clock.offset_seconds).toBe(0);
  const itself = await fork(clientOf(one.key), one.id);
  expect((await itself.api(operations.getKey)).json.world).toBe(itself.id);
  const stranger = await newMerchant();
  for (const other of [clientOf(two.key), stranger.api]) {
    const sent = { params: { id: one.id }, body: { name: 'fork' } };
    expect((await other(operations.forkTestWorld, sent)).problem.code).toBe('world_not_found');
  }
  expect((await stranger.api(operations.listTestWorlds)).json.data).toEqual([]);
});

test('a fork is created once for an Idempotency-Key, and its response replayed', async () => {
  const { api, id } = await newSource();
  const sent = { params: { id }, body: { name: 'fork' }, idempotencyKey: 'fork' };
  const first = await api(operations.forkTestWorld, sent);
  expect((await api(operations.forkTestWorld, sent)).text).toBe(first.text);
  expect((await api(operations.listTestWorlds)).json.data).toHaveLength(1);
});

test.each([
  ['starts_at', '2027-03-01T09:00:00+07:00'],
  ['profile', 'small'],
])('a fork has the clock and the content of its source, so %s is refused', async (field, value) => {
  const { api, id } = await newSource();
  const { status, json } = await api(operations.forkTestWorld, {
    params: { id },
    body: { name: 'fork', [field]: value },
  });
  expect(status).toBe(422);
  expect(json).toMatchObject({ code: 'validation_failed', errors: [{ field, code: 'unknown' }] });
  expect((await api(operations.listTestWorlds)).json.data).toEqual([]);
});
