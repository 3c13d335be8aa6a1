import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';
import { expect, onTestFinished, test } from 'vitest';
import { QUESTION_IDS } from '../../infra/exam/run-exam.ts';
import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import { type SchemeName, schemeOf } from '../../shared/webhooks/signature-schemes.ts';
import { examine } from './examine.ts';

/** Throws unless the request is signed: by the library of the provider, or as its documentation says. */
type Verify = (body: Buffer, headers: IncomingHttpHeaders, secret: string) => unknown;

const TOLERANCE_SECONDS = 300;
const asRecord = (headers: IncomingHttpHeaders) => headers as Record<string, string>;

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64') {
  return createHmac('sha256', key).update(text).digest(encoding);
}

/** @param ageSeconds of a signature that has a time */
function expectOneOf(signatures: readonly string[], expected: string, ageSeconds = 0): void {
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

const RIGHT: Readonly<Record<SchemeName, Verify>> = {
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

async function startReceiver(verify: Verify, secret: string): Promise<string> {
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

/** Examined by HTTP alone, as a receiver that never heard of this service. */
async function examineBy(scheme: SchemeName, verify: Verify, ids?: readonly QuestionId[]) {
  const secret = schemeOf({ scheme }).newSecret();
  const url = await startReceiver(verify, secret);
  const limits = { patienceMs: 1_000, shrinkMs: 1_000 };
  const { report } = await examine(url, secret, { scheme, isHttpOnly: true, limits, ...(ids && { ids }) });
  return report;
}

const SCHEMES = Object.entries(RIGHT) as [SchemeName, Verify][];
const OVER_HTTP = 14;

test.each(SCHEMES)('a right receiver of %s passes every question that holds', async (scheme, verify) => {
  const report = await examineBy(scheme, verify);
  const { lacks } = schemeOf({ scheme });
  expect(report.questions.filter(({ verdict }) => verdict === 'failed')).toEqual([]);
  expect(report).toMatchObject({ scheme, passed: OVER_HTTP - Object.keys(lacks).length });
  const reasons = report.questions.filter(({ id }) => id in lacks).map(({ reason }) => reason);
  expect(reasons).toHaveLength(Object.keys(lacks).length);
  for (const reason of reasons) {
    expect(reason).toContain(`not of the scheme ${scheme}: `);
  }
});

test.each<[SchemeName, QuestionId, string, Verify]>([
  ...SCHEMES.map(([scheme]): [SchemeName, QuestionId, string, Verify] => [
    scheme,
    'SIG-01',
    'verifies nothing',
    () => undefined,
  ]),
  [
    'stripe',
    'SIG-06',
    'reads the first signature alone',
    (body, headers, secret) => {
      const [time, first] = String(headers['stripe-signature']).split(',');
      RIGHT.stripe(body, { 'stripe-signature': [time, first].join(',') }, secret);
    },
  ],
  [
    'omise',
    'SIG-03',
    'does not look at the time',
    (body, headers, secret) => {
      const time = headers['omise-signature-timestamp'];
      const expected = hmac(Buffer.from(secret, 'base64'), `${time}.${body}`, 'hex');
      expectOneOf(String(headers['omise-signature']).split(','), expected);
    },
  ],
  [
    'github',
    'SIG-08',
    'verifies what it has parsed and written again',
    (body, headers, secret) =>
      RIGHT.github(Buffer.from(JSON.stringify(JSON.parse(String(body)))), headers, secret),
  ],
  [
    'shopify',
    'SIG-05',
    'verifies only what is signed',
    (body, headers, secret) =>
      headers['x-shopify-hmac-sha256'] === undefined || RIGHT.shopify(body, headers, secret),
  ],
  [
    'paddle',
    'SIG-07',
    'refuses an unknown version',
    (body, headers, secret) => {
      if (String(headers['paddle-signature']).includes('h9=')) {
        throw new Error('unknown version');
      }
      RIGHT.paddle(body, headers, secret);
    },
  ],
])('a receiver of %s fails %s if it %s', async (scheme, id, _, verify) => {
  const report = await examineBy(scheme, verify, [id]);
  expect(report.questions).toMatchObject([{ id, verdict: 'failed' }]);
});

test('every question that HTTP alone answers is asked', () => {
  expect(QUESTION_IDS.filter((id) => /^(?:SIG-|FWD-0[14]|STR-01)/.test(id))).toHaveLength(OVER_HTTP);
});
