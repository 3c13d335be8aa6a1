import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';
import { clientOf } from '../../support/world/api.ts';
import { startHost } from '../../support/world/host.ts';
import { type Inhabitants, inhabitWorld, PHONE, paramsIn } from '../../support/world/inhabited-world.ts';
import { moveClock } from '../../support/world/resources.ts';
import { eachAtOnce, exchange, type Sent } from '../hostile/exchange.ts';
import { type Mood, startTalkativeStore } from './talkative-store.ts';

const MARK = 'zqprivate';
/** The clock ticks every three seconds: time for it, and for the runner that it calls. */
const TICK_MS = 5_000;
const INTRODUCTION_ENDS = 'Ctrl-C stops it';
const FORM = `name=${MARK}&email=${MARK}%40example.com&phone=0891234567&amount=10&attempt=${MARK}&method=${MARK}`;

const MOODS: readonly (readonly [Mood, RegExp?])[] = [
  // The runner gets its lease, reads the due work, and then meets these.
  ['quote as invalid', /TransactWriteItems$/],
  ['cut', /Query$|BatchGetItem$|GetRecords$/],
  ['quote as invalid', /GetItem$|Query$/],
  ['quote as broken'],
  ['quote as a page'],
];

/** Every operation as it is accepted, as it is refused in several ways, and without a key. */
function everythingSent(key: string, world: Inhabitants): Sent[] {
  const person = { name: MARK, email: `${MARK}@example.com`, phone: PHONE };
  return allOperations
    .filter(({ id }) => id !== operations.purgeTestData.id)
    .flatMap((row) => {
      const params = paramsIn(world, row.path);
      const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
      const json = { 'Content-Type': 'application/json', 'Idempotency-Key': `${MARK}-${randomUUID()}` };
      const sent = (body: unknown, secret: string | null = key, at = path): Sent => ({
        method: row.method,
        path: at,
        headers: {
          ...json,
          'Idempotency-Key': `${MARK}-${randomUUID()}`,
          ...(secret && { Authorization: `Bearer ${secret}` }),
        },
        ...(row.method !== 'GET' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return [
        sent(row.example ?? FORM),
        sent({ ...row.example, customer: person, [MARK]: person, description: { deep: person } }),
        sent(`{"name":"${MARK}`),
        sent(row.example ?? {}, mintSecret('test')),
        sent(row.example ?? {}, `${key.slice(0, -1)}-`),
        sent(row.example ?? {}, null),
        sent(row.example ?? {}, key, `${path}?${MARK}=${MARK}%40example.com&reference=${MARK}&after=${MARK}`),
        sent(row.example ?? {}, key, `${path}${MARK}`),
        ...(row.permission === null && row.method === 'POST' ? [{ ...sent(FORM), headers: form }] : []),
      ];
    });
}

test('no output of a whole run, errors included, contains a key, token, secret or person', async ({
  task,
}) => {
  await using store = await startTalkativeStore(inject('service').dynamodbEndpoint);
  const host = await startHost({
    env: {
      POWERTOOLS_LOG_LEVEL: 'DEBUG',
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
      TABLE_NAME: `payments-${randomUUID()}`,
    },
  });
  try {
    const { key, baseUrl } = host;
    const api = clientOf(key, baseUrl);
    const world = await inhabitWorld(api, MARK);
    const { json: sink } = await api(operations.getWebhookSink, { params: { id: String(world.sinks) } });
    const owned = { params: { id: String(world['webhook-endpoints']) } };
    const { json: endpoint } = await api(operations.getWebhookEndpoint, owned);
    // The endpoint fails from now on, so each tick has due work.
    const failing = { params: { id: sink.id }, body: { respond_status: 503 } };
    await api(operations.updateWebhookSink, failing);
    const requests = everythingSent(key, world);
    await eachAtOnce(requests, (sent) => exchange(baseUrl, sent));
    await api(operations.updateWebhookSink, failing);
    await moveClock(api, 400);

    let broken = 0;
    for (const [mood, commands] of MOODS) {
      const payment = { amount: { currency: 'THB', minor: 1 }, description: MARK, reference: MARK };
      await api(operations.createPayment, { body: payment });
      store.become(mood, commands);
      const answers = await eachAtOnce(
        requests.filter((_, index) => index % 4 === 0),
        (sent) => exchange(baseUrl, sent),
      );
      broken += answers.filter(({ status }) => status >= 500).length;
      await sleep(TICK_MS);
      store.become('well');
    }
    expect(broken).toBeGreaterThan(100);
    await api(operations.seedTestData, { body: { profile: 'small' } });
    await api(operations.purgeTestData);
    await sleep(TICK_MS);

    const output = host.output();
    const printed = output.slice(output.indexOf(INTRODUCTION_ENDS));
    const lines = printed.split('\n').filter((line) => line.trim() !== '');
    const parts = windowsOf(key.slice('pg_test_'.length), 8);
    const secrets = [
      ...parts,
      sink.secret,
      String(endpoint.secret),
      String(world.sink),
      String(world.checkout).slice(-22),
      String(world.l),
      String(world['{provider}']),
    ];
    const forbidden = [
      MARK,
      'pg_test_',
      'pg_live_',
      'whsec_',
      'Bearer',
      'Authorization',
      PHONE,
      '203.0.113.77',
    ];
    const forms = [/[\w.+-]+@[\w-]+\.\w+/, /\+66\d{8,9}/, /\b0[689]\d{8}\b/];
    const leaks = lines.filter(
      (line) =>
        [...secrets, ...forbidden].some((text) => line.includes(text)) ||
        forms.some((form) => form.test(line)),
    );
    expect(leaks.map((line) => line.slice(0, 400))).toEqual([]);
    // The searched text is the whole output: it contains each operation, and each kind of trouble.
    for (const row of allOperations) {
      expect(printed).toContain(`"operation":"${row.id}"`);
    }
    for (const message of [
      'unexpected error',
      'the store did not answer',
      'the job runner failed',
      '"message":"tick"',
    ]) {
      expect(printed).toContain(message);
    }
    task.meta.figures = {
      'lines printed in a whole run, none with a secret or a person in it': lines.length,
      'bytes of them': Buffer.byteLength(printed),
      'calls to the store that failed meanwhile': store.failed(),
      'requests that met a failing store': broken,
    };
  } finally {
    await host.stop();
  }
});

function windowsOf(text: string, chars: number): string[] {
  return Array.from({ length: text.length - chars + 1 }, (_, index) => text.slice(index, index + chars));
}
