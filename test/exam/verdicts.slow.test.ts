// @module-tag nightly
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ExamLimits } from '../../infra/exam/patience.ts';
import { QUESTION_IDS } from '../../infra/exam/run-exam.ts';
import { ShopError } from '../../infra/exam/shop.ts';
import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { examine } from './examine.ts';
import * as nodeShop from './shops/node-shop.ts';
import { ASKS_THE_API } from './zoo/asks-the-api.ts';
import { startWrongShop } from './zoo/start-wrong-shop.ts';
import { WRONG_SHOPS, type WrongShop } from './zoo/wrong-shops.ts';

const ANSWER = 'return { paid: this.#isPaid(reference), fulfilled: order.fulfilled, refunded_minor };';

/** @param often how often goods went out, by how often it was `fulfilled` and how many `probes` of the order came */
function says(often: string): WrongShop['changes'][number] {
  return [
    ANSWER,
    `const { fulfilled, probes = 1 } = order as unknown as { fulfilled: number; probes?: number };
    Object.assign(order, { probes: probes + 1 });
    return { paid: this.#isPaid(reference), fulfilled: ${often}, refunded_minor };`,
  ];
}

function wrongShop(name: string): WrongShop {
  const found = WRONG_SHOPS.find((shop) => shop.name === name);
  if (found === undefined) {
    throw new Error('the zoo has changed');
  }
  return found;
}

/** A slow machine finds the shortest story as well. */
const UNHURRIED = { patienceMs: 10_000, shrinkMs: 300_000 };

/** Asks one question of a shop that is a change of the right one. */
async function ask(
  id: QuestionId,
  shop: Pick<WrongShop, 'name' | 'changes' | 'of'>,
  limits: ExamLimits = UNHURRIED,
) {
  const secret = newSigningSecret();
  const wrong = { wrong: '', thread: '', caughtBy: id, ...shop };
  const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
  onTestFinished(stop);
  const { report } = await examine(url, secret, { ids: [id], limits });
  return report.questions[0];
}

describe('a verdict', () => {
  // What the shops do later follows how often they were asked, and no timer.
  test('waits for a right shop that works after it has answered', async () => {
    const result = await ask('PAY-01', {
      name: 'works-later',
      changes: [says('probes > 4 ? fulfilled : 0')],
    });
    expect(result).toMatchObject({ verdict: 'passed', failure: null });
  });

  test('waits for a right shop that takes longer over a burst than the exam is patient', async () => {
    const queue = (sends: string): WrongShop['changes'] => [
      [
        'if (order?.fulfilled === 0 && this.#isPaid(reference)) {\n      order.fulfilled += 1;\n    }',
        `if (order !== undefined && !this.#queue.includes(order) && this.#isPaid(reference)) {
      this.#queue.push(order);
    }`,
      ],
      [
        'readonly #eventIds = new Set<string>();',
        `readonly #eventIds = new Set<string>();
  readonly #queue: { fulfilled: number }[] = [];
  readonly #worker = setInterval(() => {
    const next = this.#queue.find(({ fulfilled }) => fulfilled === 0);
    if (next !== undefined && ${sends}) {
      next.fulfilled = 1;
    }
  }, 60).unref();`,
      ],
    ];
    const limits = { patienceMs: 1_500, shrinkMs: 1_000 };
    const slow = await ask('BIG-04', { name: 'works-off-a-burst', changes: queue('true') }, limits);
    expect(slow).toMatchObject({ verdict: 'passed', failure: null });
    const stuck = { name: 'gives-up-a-burst', changes: queue('this.#queue.indexOf(next) < 25') };
    expect(await ask('BIG-04', stuck, limits)).toMatchObject({
      verdict: 'failed',
      failure: { expected: 'fulfilled 1' },
    });
  });

  test('looks once more at the end as long as what the shop says still changes', async () => {
    const result = await ask('PAY-01', {
      name: 'works-off-later',
      changes: [says('probes === 2 || probes === 3 ? 0 : fulfilled')],
    });
    expect(result).toMatchObject({ verdict: 'passed', failure: null });
  });

  test('looks once more at the end, for a shop that does later what it must not do', async () => {
    const result = await ask('SIG-01', {
      name: 'works-again',
      changes: [says('probes > 2 ? 2 : fulfilled')],
    });
    expect(result).toMatchObject({
      verdict: 'failed',
      failure: {
        expected: 'fulfilled 1, also later',
        actual: expect.stringMatching(/^the probe says fulfilled 2, after it had been right/),
      },
    });
  });

  test('says "secret" after one ping where the shop has another one, and asks nothing', async () => {
    const { url, stop } = await nodeShop.startShop({ port: 0, secret: newSigningSecret() });
    onTestFinished(stop);
    const secret = newSigningSecret();
    for (const isHttpOnly of [false, true]) {
      const refusal = await examine(url, secret, { isHttpOnly }).catch((error: Error) => error);
      expect(refusal).toBeInstanceOf(ShopError);
      const { message } = refusal as Error;
      expect(message).toContain(`answered 400 to a ping that is signed with ${secret.slice(0, 10)}…`);
      expect(message).toContain('it may hold another secret');
      expect(message).toContain('pg exam --print-secret');
      expect(message).not.toContain(secret);
    }
  });

  test('tells one cause once, with what to look at, and shrinks it once', async () => {
    const wrong = wrongShop('ignores-refunds');
    const secret = newSigningSecret();
    const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
    onTestFinished(stop);
    const ids = ['PAY-01', 'REF-01', 'REF-02', 'REF-03', 'REF-05', 'REF-06'] as const;
    const { report } = await examine(url, secret, { ids, limits: { patienceMs: 1_500, shrinkMs: 8_000 } });
    const failures = report.questions.flatMap(({ id, failure }) =>
      failure === null ? [] : [{ id, ...failure }],
    );
    expect(failures.map(({ id, same_as }) => [id, same_as])).toEqual([
      ['REF-01', null],
      ...ids.slice(2).map((id) => [id, 'REF-01']),
    ]);
    expect(new Set(failures.map(({ advice }) => advice))).toEqual(
      new Set([
        'refund.succeeded was answered 200 and nothing changed: does the shop find the order by `payment_id`? An answer of 2xx where the work failed ends the deliveries.',
      ]),
    );
    expect(failures.slice(1).flatMap(({ story, events }) => [...story, ...events])).toEqual([]);
  });

  test('shows the shortest story that still fails, with its only event as it was sent', async () => {
    const result = await ask('PAY-06', wrongShop('processing-pays'));
    expect(result?.failure).toMatchObject({
      story: [
        'order a as a',
        'simulate payment $a, outcome pending',
        'send payment.processing, of $a',
        'probe $a',
      ],
      is_shortest: true,
      events: [
        {
          type: 'payment.processing',
          manner: null,
          attempt: 1,
          answered_status: 200,
          headers: { 'webhook-attempt': '1' },
          body: expect.stringContaining('"type":"payment.processing"'),
        },
      ],
    });
  });
});

describe('an exam', () => {
  test('comes to an end at a right shop whose server closes idle connections', async () => {
    const forgetful: WrongShop['changes'] = [
      [
        'const server = createServer(async (request, response) => {',
        `const used = new WeakSet<object>();
  const server = createServer(async (request, response) => {
    if (used.has(request.socket)) {
      request.socket.destroy();
      return;
    }
    used.add(request.socket);`,
      ],
    ];
    const result = await ask('DUP-01', { name: 'closes-idle-connections', changes: forgetful });
    expect(result).toMatchObject({ verdict: 'passed', failure: null });
  });

  test.each([
    [403, 'protection of forms (CSRF)'],
    [404, 'Is --receiver its address?'],
    [308, 'with or without a slash at its end'],
  ])('says what a receiver lacks that answers %i to everything, and asks nothing', async (status, hint) => {
    const server = createServer((_, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const refusal = await examine(url, newSigningSecret(), { isHttpOnly: true }).catch(
      (error: Error) => error,
    );
    expect(refusal).toBeInstanceOf(ShopError);
    expect(String(refusal)).toContain(`answered ${status} to a signed ping. `);
    expect(String(refusal)).toContain(hint);
  });

  test('passes no question of signatures to a receiver that refuses everything', async () => {
    // The exam does not begin where its first request is refused.
    let requests = 0;
    const server = createServer((request, response) => {
      requests += request.method === 'POST' ? 1 : 0;
      response.writeHead(requests > 1 ? 401 : 204).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ids = QUESTION_IDS.filter((id) => id.startsWith('SIG-'));
    const limits = { patienceMs: 1_000, shrinkMs: 0 };
    const { report } = await examine(url, newSigningSecret(), { ids, limits, isHttpOnly: true });
    expect(report).toMatchObject({ passed: 0, skipped: 0, failed: ids.length });
  });
});

describe('a verdict on a shop that creates its payments itself', () => {
  const of = 'sqlite-shop.ts';

  test('is fair where the shop asks the API too: a forgery is of a payment that is not paid', async () => {
    const shop = { ...ASKS_THE_API, name: 'asks-the-api' };
    expect(await ask('SIG-02', shop)).toMatchObject({ verdict: 'passed' });
  });

  test.each<QuestionId>(['PAY-02', 'PAY-08', 'ORD-03', 'REF-01'])(
    'finds the payments of a shop whose orders have numbers of their own, in %s',
    async (id) => {
      const changes: WrongShop['changes'] = [
        [
          "method: 'promptpay', reference }",
          "method: 'promptpay', reference: reference.replace('exam-', 'ORD ') }",
        ],
        [
          'const { id: paymentId, reference, amount } = data.object;',
          "const { id: paymentId, amount } = data.object;\n        const reference = String(data.object.reference).replace('ORD ', 'exam-');",
        ],
      ];
      expect(await ask(id, { name: `own-numbers-${id}`, of, changes })).toMatchObject({
        verdict: 'passed',
        reason: null,
      });
    },
  );

  const [ID, REFERENCE] = ['data.object.id', 'reference'].map((name) => `$\{${name}}`);

  test.each<[QuestionId, WrongShop['changes']]>([
    [
      'PAY-02',
      [
        [
          `VALUES (${ID}) ON CONFLICT DO NOTHING\`;\n      }`,
          `VALUES (${ID}) ON CONFLICT DO NOTHING\`;\n        sql.run\`DELETE FROM orders WHERE payment_id = ${ID}\`;\n      }`,
        ],
      ],
    ],
    [
      'PAY-08',
      [
        [
          'this.#queueIfPaid(reference);\n      } else',
          `this.#queueIfPaid(reference);\n        sql.run\`UPDATE outbox SET done = 0 WHERE reference = ${REFERENCE}\`;\n      } else`,
        ],
      ],
    ],
  ])('opens the order twice with one reference for %s', async (id, changes) => {
    expect(await ask(id, { name: `own-${id}`, of, changes })).toMatchObject({ verdict: 'failed' });
    expect(await ask(id, { name: `right-${id}`, of, changes: [] })).toMatchObject({ verdict: 'passed' });
  });

  test('asks ORD-03 by a second order where the shop does not use the held address', async () => {
    const plain: WrongShop['changes'][number] = ["'x-pg-base-url': address = baseUrl", 'address = baseUrl'];
    expect(await ask('ORD-03', { name: 'direct', of, changes: [plain] })).toMatchObject({
      verdict: 'passed',
      reason: null,
    });
  });
});
