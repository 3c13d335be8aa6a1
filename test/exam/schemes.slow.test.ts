import { expect, test } from 'vitest';
import { QUESTION_IDS } from '../../infra/exam/run-exam.ts';
import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import { type SchemeName, schemeOf } from '../../shared/webhooks/signature-schemes.ts';
import { examine } from './examine.ts';
import { expectOneOf, hmac, RIGHT, startReceiver, type Verify } from './scheme-receivers.ts';

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
