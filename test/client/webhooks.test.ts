import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../shared/client/client.ts';
import { type WebhookEvent, WebhookVerificationError, webhooks } from '../../shared/client/webhooks.ts';
import { paymentAnswer } from '../../shared/contract/payments.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import { baseUrl, newKey } from '../support/merchant.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const MINUTE_MS = 60_000;

function signed(text: string, atMs: number = Date.now(), secret = SECRET) {
  return signedHeaders(secret, 'evt_1', text, atMs);
}

describe('a webhook', () => {
  test('that the service delivered is read as its event, with the whole resource', async () => {
    const { secret: key } = await newKey();
    const client = createClient({ key, baseUrl });
    const sink = await client.createWebhookSink();
    const { secret } = await client.getWebhookSink(sink.id);
    const payment = await client.createPayment({ amount: { currency: 'THB', minor: 900 } });
    const delivered = async () => (await client.listDeliveries(sink.id)).data.length;
    await expect.poll(delivered, { timeout: 30_000, interval: 200 }).toBe(1);
    const [delivery] = (await client.listDeliveries(sink.id)).data;
    const event = webhooks.verify(delivery?.body ?? '', delivery?.request_headers ?? {}, secret);
    if (event.type !== 'payment.created') {
      return expect.unreachable(event.type);
    }
    expect(event.data.object).toEqual(payment);
    expect(v.is(paymentAnswer, event.data.object)).toBe(true);
    expect(await client.getEvent(event.id)).toEqual(event);
  });

  test.each<[string, (headers: Record<string, string>) => Parameters<typeof webhooks.verify>[1]]>([
    ['as fetch has them', (headers) => new Headers(headers)],
    ['as Node has them', (headers) => ({ ...headers, 'set-cookie': ['a', 'b'], via: undefined })],
    [
      'in capitals',
      (headers) =>
        Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])),
    ],
  ])('may come with headers %s, and as text or bytes', (_, shape) => {
    const text = JSON.stringify({ id: 'evt_1', type: 'payout.paid', note: 'จ่ายแล้ว' });
    const event: WebhookEvent = webhooks.verify(text, shape(signed(text)), SECRET);
    expect(event).toEqual(JSON.parse(text));
    expect(webhooks.verify(new TextEncoder().encode(text), shape(signed(text)), SECRET)).toEqual(event);
    expect(webhooks.verify(Buffer.from(text), shape(signed(text)), SECRET)).toEqual(event);
  });

  test.each<[string, string, Record<string, string>]>([
    ['was signed with another secret', '{}', signed('{}', Date.now(), `whsec_${btoa('another')}`)],
    ['was changed on its way', '{"a":2}', signed('{"a":1}')],
    ['is older than five minutes', '{}', signed('{}', Date.now() - 5 * MINUTE_MS - 2_000)],
    ['comes from the future', '{}', signed('{}', Date.now() + 60 * MINUTE_MS)],
    ['has another id than was signed', '{}', { ...signed('{}'), 'webhook-id': 'evt_2' }],
    ['has no signature', '{}', { 'webhook-id': 'evt_1', 'webhook-timestamp': '1' }],
    ['has no JSON in it', 'hello', signed('hello')],
  ])('is refused where it %s', (_, body, headers) => {
    expect(() => webhooks.verify(body, headers, SECRET)).toThrow(WebhookVerificationError);
  });

  test('is refused where its bytes are no text', () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22);
    const headers = signed(new TextDecoder().decode(bytes));
    expect(() => webhooks.verify(bytes, headers, SECRET)).toThrow(WebhookVerificationError);
  });

  test('is not verified with what is no secret, or after it was parsed, and the secret is not shown', () => {
    expect(() => webhooks.verify('{}', signed('{}'), 'not base64!')).toThrow(
      /^verify takes the secret of a sink/,
    );
    expect(() => webhooks.verify({} as never, signed('{}'), SECRET)).toThrow(
      /^verify takes the body as it was/,
    );
  });
});
