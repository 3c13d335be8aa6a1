import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../shared/client/client.ts';
import { type WebhookEvent, WebhookVerificationError, webhooks } from '../../shared/client/webhooks.ts';
import { operations } from '../../shared/contract/operations.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
const MINUTE_MS = 60_000;

function signed(text: string, atMs: number = Date.now(), secret = SECRET) {
  return signedHeaders([secret], 'evt_1', text, atMs, 1);
}

const now = () => String(Math.floor(Date.now() / 1_000));

describe('a webhook', () => {
  test('from the service is parsed to its event, with the whole resource', { tags: 'slow' }, async () => {
    const { secret: key } = await newKey();
    const client = createClient({ key, baseUrl });
    const sink = await client.createWebhookSink();
    const { secret } = await client.getWebhookSink(sink.id);
    const payment = await client.createPayment({ amount: { currency: 'THB', minor: 900 } });
    const delivered = async () => (await client.listDeliveries(sink.id)).data.length;
    await expect.poll(delivered, { interval: 200 }).toBe(1);
    const [delivery] = (await client.listDeliveries(sink.id)).data;
    const event = webhooks.verify(delivery?.body ?? '', delivery?.request_headers ?? {}, secret);
    if (event.type !== 'payment.created') {
      return expect.unreachable(event.type);
    }
    expect(event.data.object).toEqual(payment);
    expect(v.is(operations.getPayment.success.schema, event.data.object)).toBe(true);
    expect(await client.getEvent(event.id)).toEqual(event);
  });

  test.each<[string, (headers: Record<string, string>) => Parameters<typeof webhooks.verify>[1]]>([
    ['as fetch has them', (headers) => new Headers(headers)],
    ['as a fetch of another make has them', (headers) => new Map(Object.entries(headers)) as never],
    ['as a list of pairs', (headers) => Object.entries(headers)],
    [
      'as a gateway has them, each a list',
      (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
    [
      'whose values came twice, and are the same',
      (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value, value]])),
    ],
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

  test.each<[string, string[]]>([
    ['the old secret', [OLD_SECRET]],
    ['the new secret', [SECRET]],
    ['both, in any order', [OLD_SECRET, SECRET]],
    ['the new one, a coming one and the old one', [SECRET, OTHER_SECRET, OLD_SECRET]],
  ])('with two signatures during a rotation is verified by %s', (_, known) => {
    const text = '{"type":"payout.paid"}';
    const [fresh, old] = [signed(text), signed(text, Date.now(), OLD_SECRET)];
    const both = `${fresh['webhook-signature']} ${old['webhook-signature']}`;
    const headers = { ...fresh, 'webhook-signature': both };
    expect(webhooks.verify(text, headers, known)).toEqual({ type: 'payout.paid' });
    expect(() => webhooks.verify(text, headers, [OTHER_SECRET])).toThrow(WebhookVerificationError);
    expect(() => webhooks.verify(`${text} `, headers, known)).toThrow(WebhookVerificationError);
  });

  test('with one signature is verified by a list of secrets that contains its own', () => {
    const headers = signed('{}', Date.now(), OLD_SECRET);
    expect(webhooks.verify('{}', headers, [SECRET, OLD_SECRET])).toEqual({});
    expect(() => webhooks.verify('{}', headers, [SECRET, OTHER_SECRET])).toThrow(WebhookVerificationError);
  });

  test('may have signatures of other schemes beside its own', () => {
    const headers = signed('{}');
    const among = `v1a,YQ== v2 v1 ${headers['webhook-signature']} v1,`;
    expect(webhooks.verify('{}', { ...headers, 'webhook-signature': among }, SECRET)).toEqual({});
    const others = { ...headers, 'webhook-signature': 'v1a,YQ== v2 v1 v1,' };
    expect(() => webhooks.verify('{}', others, SECRET)).toThrow(WebhookVerificationError);
  });

  test('is signed as the scheme says: id, time and body by HMAC-SHA256', () => {
    const [id, body] = ['evt_1', '{ "id": "จ่ายแล้ว" }'];
    const timestamp = Math.floor(Date.now() / 1_000);
    const hmac = createHmac('sha256', Buffer.alloc(32, 7)).update(`${id}.${timestamp}.${body}`);
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${hmac.digest('base64')}`,
    };
    expect(webhooks.verify(body, headers, SECRET)).toEqual({ id: 'จ่ายแล้ว' });
  });

  test.each([24, 32, 64])(
    'may be signed with a secret of %s bytes, by any library of the scheme',
    (bytes) => {
      const secret = `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`;
      const at = new Date();
      const headers = { ...signed('{}'), 'webhook-signature': new Webhook(secret).sign('evt_1', at, '{}') };
      expect(webhooks.verify('{}', headers, secret)).toEqual({});
    },
  );

  test('of every endpoint and sink of the service has such a secret', { tags: 'slow' }, async () => {
    const client = createClient({ key: (await newKey()).secret, baseUrl });
    await client.createWebhookSink();
    await client.seedTestData({ profile: 'small' });
    const { secret, id } = await client.createWebhookEndpoint({ url: 'https://shop.example/hook' });
    const rotated = await client.rotateWebhookSecret(id);
    const sinks = (await client.listWebhookSinks()).data;
    expect(sinks.length).toBeGreaterThan(1);
    const made = await Promise.all(sinks.map(async (sink) => (await client.getWebhookSink(sink.id)).secret));
    for (const each of [secret, rotated.secret, ...made]) {
      expect(webhooks.readSecret(each)).toBe(each);
    }
  });
});

describe('a webhook of unclear origin', () => {
  test.each<[string, string, Record<string, string>]>([
    ['was signed with another secret', '{}', signed('{}', Date.now(), `whsec_${btoa('another')}`)],
    ['was changed on its way', '{"a":2}', signed('{"a":1}')],
    ['is older than five minutes', '{}', signed('{}', Date.now() - 5 * MINUTE_MS - 2_000)],
    ['comes from the future', '{}', signed('{}', Date.now() + 60 * MINUTE_MS)],
    ['has another id than was signed', '{}', { ...signed('{}'), 'webhook-id': 'evt_2' }],
    ['has no signature', '{}', { 'webhook-id': 'evt_1', 'webhook-timestamp': '1' }],
    ['has no JSON in it', 'hello', signed('hello')],
  ])('is refused if it %s', (_, body, headers) => {
    expect(() => webhooks.verify(body, headers, SECRET)).toThrow(WebhookVerificationError);
  });

  test.each<[string, (headers: Record<string, string>) => Parameters<typeof webhooks.verify>[1]]>([
    ['more than digits after them', (headers) => ({ ...headers, 'webhook-timestamp': `${now()}abc` })],
    ['a fraction', (headers) => ({ ...headers, 'webhook-timestamp': `${now()}.9` })],
    ['a space before', (headers) => ({ ...headers, 'webhook-timestamp': ` ${now()}` })],
    ['a sign', (headers) => ({ ...headers, 'webhook-timestamp': `+${now()}` })],
    ['a zero before', (headers) => ({ ...headers, 'webhook-timestamp': `0${now()}` })],
    ['nothing', (headers) => ({ ...headers, 'webhook-timestamp': '' })],
    ['no digits', (headers) => ({ ...headers, 'webhook-timestamp': 'NaN' })],
    ['two values', (headers) => ({ ...headers, 'webhook-timestamp': [now(), '1'] })],
    ['two spellings', (headers) => ({ ...headers, 'Webhook-Timestamp': '1' })],
  ])('is refused if its timestamp has %s', (_, change) => {
    expect(() => webhooks.verify('{}', change(signed('{}')), SECRET)).toThrow(WebhookVerificationError);
  });

  test.each<[string, (headers: Record<string, string>) => Parameters<typeof webhooks.verify>[1]]>([
    ['two ids', (headers) => ({ ...headers, 'webhook-id': ['evt_1', 'evt_2'] })],
    ['two ids as pairs', (headers) => [['webhook-id', 'evt_2'], ...Object.entries(headers)]],
    ['an empty id', (headers) => ({ ...headers, 'webhook-id': '' })],
    ['two signatures in two headers', (headers) => ({ ...headers, 'webhook-signature': ['v1,a', 'v1,b'] })],
    ['an empty list', (headers) => ({ ...headers, 'webhook-signature': [] })],
    ['no headers of a webhook', () => ({})],
  ])('is refused if it has %s', (_, change) => {
    expect(() => webhooks.verify('{}', change(signed('{}')), SECRET)).toThrow(WebhookVerificationError);
  });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'webhook-id: evt_1'],
    ['a flat list, as the raw headers of Node', ['webhook-id', 'evt_1']],
  ])('without headers is a mistake of the receiver, and none of the sender: %s', (_, headers) => {
    expect(() => webhooks.verify('{}', headers as never, SECRET)).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringContaining('takes the headers') }),
    );
  });

  test('is refused if a byte order mark was put before it', () => {
    const bytes = Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), Buffer.from('{}')]);
    expect(() => webhooks.verify(bytes, signed('{}'), SECRET)).toThrow(WebhookVerificationError);
  });

  test('is refused if its bytes are not text', () => {
    const bytes = Uint8Array.of(0x22, 0xff, 0x22);
    const headers = signed(new TextDecoder().decode(bytes));
    expect(() => webhooks.verify(bytes, headers, SECRET)).toThrow(WebhookVerificationError);
  });

  test.each<[string, string]>([
    ['a text that stands for nothing', 'undefined'],
    ['another text that stands for nothing', 'null'],
    ['a prefix alone', 'whsec_'],
    ['a prefix and three bytes', 'whsec_AAAA'],
    ['23 bytes', `whsec_${Buffer.alloc(23, 7).toString('base64')}`],
    ['no prefix', Buffer.alloc(32, 7).toString('base64')],
    ['a prefix in capitals', SECRET.toUpperCase()],
    ['no padding', SECRET.replace('=', '')],
    ['bits that no byte has', SECRET.replace(/.=$/, 'd=')],
    ['another alphabet', `whsec_${Buffer.alloc(32, 255).toString('base64url')}=`],
    ['a line break', `${SECRET}\n`],
    ['a space within', SECRET.replace('whsec_', 'whsec_ ')],
    ['no Base64', 'whsec_not base64 at all, but long enough!'],
    ['nothing', ''],
  ])('is not verified with a secret of %s, which is not shown', (_, secret) => {
    const refusal = expect.objectContaining({
      name: 'TypeError',
      message: 'The secret of a receiver is "whsec_" and the Base64 of at least 24 bytes.',
    });
    // Signed with the same secret, as an attacker that guesses it would sign.
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const hmac = createHmac('sha256', key).update(`evt_1.${Math.floor(Date.now() / 1_000)}.{}`);
    const headers = { ...signed('{}'), 'webhook-signature': `v1,${hmac.digest('base64')}` };
    expect(() => webhooks.verify('{}', headers, secret)).toThrow(refusal);
    expect(() => webhooks.verify('{}', signed('{}'), [SECRET, secret])).toThrow(refusal);
    expect(() => webhooks.readSecret(secret)).toThrow(refusal);
  });

  test('is not verified without a secret; a receiver can check that when it starts', () => {
    const { PG_NOBODY_SETS_THIS: unset } = process.env;
    for (const refused of [
      () => webhooks.readSecret(unset),
      () => webhooks.verify('{}', signed('{}'), unset as never),
      () => webhooks.verify('{}', signed('{}'), []),
    ]) {
      expect(refused).toThrow(TypeError);
      expect(refused).toThrow(/^The secret of a receiver is "whsec_" and the Base64 of at least 24 bytes\.$/);
    }
    expect(webhooks.readSecret(SECRET)).toBe(SECRET);
  });

  test('is not verified after it was parsed', () => {
    expect(() => webhooks.verify({} as never, signed('{}'), SECRET)).toThrow(
      /^verify takes the body as it was/,
    );
  });
});
