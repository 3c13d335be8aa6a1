import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { onTestFinished } from 'vitest';
import type { SchemeName } from '../../shared/webhooks/signature-schemes.ts';

/* Receivers of other providers' webhooks, which never heard of this service. */

/** Throws unless the request is signed: by the library of the provider, or as its documentation says. */
export type Verify = (body: Buffer, headers: IncomingHttpHeaders, secret: string) => unknown;

const TOLERANCE_SECONDS = 300;
const asRecord = (headers: IncomingHttpHeaders) => headers as Record<string, string>;

export function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64') {
  return createHmac('sha256', key).update(text).digest(encoding);
}

/** @param ageSeconds of a signature that has a time */
export function expectOneOf(signatures: readonly string[], expected: string, ageSeconds = 0): void {
  const wanted = Buffer.from(expected);
  const isRight = signatures.some((each) => {
    const given = Buffer.from(each);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
  if (!isRight || !(ageSeconds <= TOLERANCE_SECONDS)) {
    throw new Error('wrong signature');
  }
}

function ageOf(seconds: unknown): number {
  return Date.now() / 1_000 - Number(seconds);
}

/** Right receivers, by their schemes. */
export const RIGHT: Readonly<Record<SchemeName, Verify>> = {
  standardwebhooks: (body, headers, secret) => new Webhook(secret).verify(body, asRecord(headers)),
  svix: (body, headers, secret) => new SvixWebhook(secret).verify(body, asRecord(headers)),
  stripe: (body, headers, secret) =>
    Stripe.webhooks.constructEvent(body, String(headers['stripe-signature']), secret),
  omise: (body, headers, secret) => {
    const { 'omise-signature': given, 'omise-signature-timestamp': time } = headers;
    const expected = hmac(Buffer.from(secret, 'base64'), `${time}.${body}`, 'hex');
    expectOneOf(String(given).split(','), expected, Math.abs(ageOf(time)));
  },
  paddle: (body, headers, secret) => {
    const parts = String(headers['paddle-signature'])
      .split(';')
      .map((part) => part.split('='));
    const of = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
    const [time] = of('ts');
    expectOneOf(of('h1'), hmac(secret, `${time}:${body}`, 'hex'), ageOf(time));
  },
  github: (body, headers, secret) =>
    expectOneOf([String(headers['x-hub-signature-256'])], `sha256=${hmac(secret, String(body), 'hex')}`),
  shopify: (body, headers, secret) =>
    expectOneOf([String(headers['x-shopify-hmac-sha256'])], hmac(secret, String(body), 'base64')),
};

/** @returns its address */
export async function startReceiver(verify: Verify, secret: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    try {
      if (request.method === 'POST') {
        verify(body, request.headers, secret);
      }
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
