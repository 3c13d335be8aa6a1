import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { EXAM_QUESTIONS } from '../../shared/contract/testkit/exam-questions.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import {
  headersBy,
  isSecretOf,
  SCHEME_NAMES,
  type SchemeName,
  type SignedDelivery,
  schemeOf,
} from '../../shared/webhooks/signature-schemes.ts';

const KEY = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const DELIVERY: SignedDelivery = {
  id: 'evt_1',
  type: 'payment.succeeded',
  body: '{"id":"evt_1","type":"payment.succeeded"}',
  atMs: 1_764_230_400_000,
  attempt: 1,
};
const NOW: SignedDelivery = { ...DELIVERY, atMs: Date.now() };
const OTHER = `whsec_${KEY.replace('MDEy', 'AAAA')}`;

/** By hand and by the vendors' own libraries, in several languages. */
test.each<[SchemeName, secret: string, Record<string, string>]>([
  [
    'standardwebhooks',
    `whsec_${KEY}`,
    {
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1764230400',
      'webhook-signature': 'v1,0NhuJXVRvm/j19wIqKF+XGhtoUpM8+WGUPqCgEwxNIk=',
    },
  ],
  [
    'svix',
    `whsec_${KEY}`,
    {
      'svix-id': 'evt_1',
      'svix-timestamp': '1764230400',
      'svix-signature': 'v1,0NhuJXVRvm/j19wIqKF+XGhtoUpM8+WGUPqCgEwxNIk=',
    },
  ],
  [
    'stripe',
    `whsec_${KEY}`,
    {
      'stripe-signature': 't=1764230400,v1=13bc5f3c872174498fb9234080285600500422fced4bfff42f7525cbccf9a7e1',
    },
  ],
  [
    'omise',
    KEY,
    {
      'omise-signature': 'eec4ee2d4a1eef2c13f4adbf3239df4194878ad395747a399757f97ec04a03af',
      'omise-signature-timestamp': '1764230400',
    },
  ],
  [
    'paddle',
    'topsecret',
    {
      'paddle-signature': 'ts=1764230400;h1=32e85645833893fc513bce1ecf0a1ba7020042cf41870fe28a375c722a73e9f5',
    },
  ],
  [
    'github',
    'topsecret',
    {
      'x-hub-signature-256': 'sha256=1e0d8fb8479afbd7390c4d1afb7ff21a2a2808e1067e99cd5ce11ce81d6b4130',
      'x-github-delivery': 'evt_1',
      'x-github-event': 'payment.succeeded',
    },
  ],
  [
    'shopify',
    'topsecret',
    {
      'x-shopify-hmac-sha256': 'Hg2PuEea+9c5DE0a+3/yGiooCOEGfpnNXOEc6B1rQTA=',
      'x-shopify-webhook-id': 'evt_1',
      'x-shopify-topic': 'payment.succeeded',
      'x-shopify-shop-domain': 'exam.example',
    },
  ],
])('a delivery is signed by the scheme %s as its provider signs', (scheme, secret, headers) => {
  const { 'webhook-attempt': attempt, ...signed } = headersBy({ scheme, secret }, DELIVERY);
  expect(attempt).toBe('1');
  expect(signed).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Payments-Webhooks/1',
    ...headers,
  });
});

test('by its own scheme, a delivery has the headers that the service sends', () => {
  const signer = { scheme: 'standardwebhooks', secret: `whsec_${KEY}` } as const;
  const { id, body, atMs, attempt } = NOW;
  expect(headersBy(signer, NOW, [OTHER, signer.secret])).toEqual(
    signedHeaders([OTHER, signer.secret], id, body, atMs, attempt),
  );
});

describe('the library of the provider accepts one of two signatures, and no other body', () => {
  test.each<[SchemeName, (body: string, headers: Record<string, string>, secret: string) => unknown]>([
    ['standardwebhooks', (body, headers, secret) => new Webhook(secret).verify(body, headers)],
    ['svix', (body, headers, secret) => new SvixWebhook(secret).verify(body, headers)],
    [
      'stripe',
      (body, headers, secret) =>
        Stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), secret),
    ],
  ])('%s', (scheme, verify) => {
    const secret = schemeOf({ scheme }).newSecret();
    for (const secrets of [[secret], [OTHER, secret], [secret, OTHER]]) {
      const headers = headersBy({ scheme, secret }, NOW, secrets);
      expect(() => verify(NOW.body, headers, secret)).not.toThrow();
      expect(() => verify(NOW.body.replace('evt_1', 'evt_2'), headers, secret)).toThrow();
      expect(() => verify(NOW.body, headers, schemeOf({ scheme }).newSecret())).toThrow();
    }
  });
});

describe.each(SCHEME_NAMES)('the scheme %s', (scheme) => {
  const { newSecret, lacks } = schemeOf({ scheme });

  test('has secrets of its own form, the same for the same bytes', () => {
    const bytes = Buffer.alloc(32, 7);
    expect(newSecret(bytes)).toBe(newSecret(bytes));
    expect(newSecret()).not.toBe(newSecret());
    expect(isSecretOf(scheme, newSecret())).toBe(true);
    expect(isSecretOf(scheme, '')).toBe(false);
  });

  test('leaves out questions that exist, each with why', () => {
    expect(Object.keys(lacks).filter((id) => !(id in EXAM_QUESTIONS))).toEqual([]);
    expect(Object.values(lacks).filter((reason) => !/^\w+ \w+/.test(String(reason)))).toEqual([]);
  });
});

test('a text that is not Base64 is no secret where the key is Base64', () => {
  for (const scheme of ['standardwebhooks', 'svix', 'omise'] as const) {
    expect(isSecretOf(scheme, 'my secret')).toBe(false);
  }
  expect(isSecretOf('github', 'my secret')).toBe(true);
});
