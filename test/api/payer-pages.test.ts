import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { PERMISSIONS, type Permission } from '../../shared/contract/permissions.ts';
import { PAYMENT_METHODS } from '../../shared/domain/payment-method.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { createPayment, moveClock } from '../support/world/resources.ts';
import { untilQuiet } from '../support/world/stored-items.ts';

const DAY = 24 * 3_600;

async function keyWith(merchant: string, permissions: readonly Permission[]): Promise<Client> {
  const { secret } = await newKey({ merchant, permissions });
  return clientOf(secret);
}

function post(address: string, form: Record<string, string>) {
  return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(form) });
}

describe("the address of a payer's page", () => {
  const without = PERMISSIONS.filter((name) => name !== 'payment.create' && name !== 'payment.read');

  test('is hidden from a key that can neither create nor read payments', { tags: 'slow' }, async () => {
    const { api, merchant } = await newMerchant();
    const { id: sinkId } = (await api(operations.createWebhookSink)).json;
    const made = [];
    for (const method of [undefined, ...PAYMENT_METHODS]) {
      made.push(await createPayment(api, { method, checkout: true }));
    }
    const tokens = made.map(({ checkout_url }) => String(checkout_url).split('/').at(-1) as string);
    await untilQuiet(merchant);
    const blind = await keyWith(merchant, without);
    const { data } = (await blind(operations.listEvents, { query: { limit: '100' } })).json;
    expect(data.length).toBeGreaterThan(made.length);
    const params = { id: sinkId };
    const seen = [
      JSON.stringify(data),
      (await blind(operations.getEvent, { params: { id: String(data[0]?.id) } })).text,
      (await blind(operations.listDeliveries, { params, query: { limit: '100' } })).text,
      (await blind(operations.cancelPayment, { params: { id: String(made[0]?.id) } })).text,
    ];
    for (const text of seen) {
      expect(text).toContain('"checkout_url');
      expect(text).not.toContain('/checkout/');
      expect(tokens.filter((token) => text.includes(token))).toEqual([]);
    }
    // The events have all other fields.
    const amounts = data.map(({ data: { object } }) => 'amount' in object && object.amount);
    expect(amounts).toEqual(data.map(() => ({ currency: 'THB', minor: 1_000 })));
  });

  test.each(['payment.create', 'payment.read'] as const)(
    'is visible to a key with %s, and in what the merchant receives',
    async (permission) => {
      const { api, merchant } = await newMerchant();
      const { id: sinkId } = (await api(operations.createWebhookSink)).json;
      const { checkout_url: address } = await createPayment(api, { method: 'truemoney', checkout: true });
      await untilQuiet(merchant);
      const sees = await keyWith(merchant, [permission, 'event.read', 'simulate']);
      const { data } = (await sees(operations.listEvents)).json;
      expect(data.map(({ data: { object } }) => 'checkout_url' in object && object.checkout_url)).toEqual([
        address,
        address,
      ]);
      const deliveries = (await sees(operations.listDeliveries, { params: { id: sinkId } })).json.data;
      expect(deliveries.map(({ body }) => JSON.parse(body))).toEqual(expect.arrayContaining(data));
    },
  );

  test('ends thirty days after the last step, and so does the address of the QR', {
    tags: 'slow',
  }, async () => {
    const { api } = await newMerchant();
    const payment = await createPayment(api, { checkout: true, expires_in_minutes: 43_200 });
    const { next_action: action } = payment;
    const picture = action?.type === 'display_qr' ? action.qr.image_svg_url : '';
    const statuses = async () =>
      Promise.all([String(payment.checkout_url), picture].map(async (url) => (await fetch(url)).status));
    await moveClock(api, 29 * DAY);
    expect(await statuses()).toEqual([200, 200]);
    // It expires the day after, which is a change: the payer sees it for thirty days more.
    await moveClock(api, 2 * DAY);
    expect(await statuses()).toEqual([200, 404]);
    await moveClock(api, 28 * DAY);
    expect(await statuses()).toEqual([200, 404]);
    await moveClock(api, 2 * DAY);
    expect(await statuses()).toEqual([404, 404]);
    expect((await post(String(payment.checkout_url), { action: 'late', version: '3' })).status).toBe(404);
  });
});

describe("the address of a QR's picture", () => {
  test('shows the picture alone: its address allows nothing on the page', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const payment = await createPayment(api, { checkout: true });
    const { next_action: action } = payment;
    const picture = action?.type === 'display_qr' ? action.qr.image_svg_url : '';
    const page = String(payment.checkout_url);
    expect(picture).not.toContain(page.split('/').at(-1) as string);
    const shown = await fetch(picture);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const asPage = picture.replace('/qr.svg', '');
    expect((await fetch(asPage)).status).toBe(404);
    expect((await post(asPage, { action: 'pay', version: '2' })).status).toBe(404);
    expect((await api(operations.getPayment, { params: { id: payment.id } })).json.status).toBe(
      'requires_action',
    );
    const saved = await fetch(picture.replace('.svg', '.png'), { headers: { Accept: 'image/png' } });
    expect([saved.status, saved.headers.get('content-type')]).toEqual([200, 'image/png']);
    const { data, width, height } = PNG.sync.read(Buffer.from(await saved.arrayBuffer()));
    // Its types say `default`, but at run time the module is the function itself.
    const read = jsqr as unknown as typeof jsqr.default;
    expect(read(new Uint8ClampedArray(data), width, height)?.data).toBe(
      action?.type === 'display_qr' ? action.qr.payload : null,
    );
    // The address that earlier payments have.
    expect(await (await fetch(`${page}/qr.svg`)).text()).toBe(await shown.text());
  });
});
