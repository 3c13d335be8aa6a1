import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { LAWS, type ShopLaw } from '../../../infra/simulation/laws.ts';
import { newSigningSecret } from '../../../shared/domain/secret.ts';
import * as sqliteShop from '../../exam/shops/sqlite-shop.ts';
import { readyShop, simulate } from '../../exam/simulate.ts';
import { ASKS_THE_API } from '../../exam/zoo/asks-the-api.ts';
import { startWrongShop } from '../../exam/zoo/start-wrong-shop.ts';
import { WRONG_SHOPS, type WrongShop } from '../../exam/zoo/wrong-shops.ts';
import { baseUrl } from '../../support/world/merchant.ts';

/** Wrong shops fail quickly or never: they are not waited for as a right one is. */
const PATIENCE_MS = 1_500;
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HANDFUL = 7;

// Wrong shops print what they fail at.
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Tells stories to a shop that is a change of a right one. */
async function simulateChanged(
  changed: Pick<WrongShop, 'name' | 'changes' | 'of'>,
  seeds: readonly number[] = SEEDS,
) {
  const secret = newSigningSecret();
  const shop = { wrong: '', thread: '', caughtBy: 'PAY-01', ...changed } as const;
  const { url, stop } = await startWrongShop(shop, { port: 0, secret, baseUrl });
  onTestFinished(stop);
  return simulate(await readyShop(url, secret, PATIENCE_MS), seeds);
}

function zooShop(name: string): WrongShop {
  const found = WRONG_SHOPS.find((shop) => shop.name === name);
  if (found === undefined) {
    throw new Error('the zoo has changed');
  }
  return found;
}

describe('the stories of a shop', () => {
  test('keep every law where it creates its payments itself, and are of its own payments', async () => {
    const secret = newSigningSecret();
    const { url, stop } = await sqliteShop.startShop({ port: 0, secret, baseUrl });
    onTestFinished(stop);
    const ready = await readyShop(url, secret);
    expect(ready.ways).toEqual({ creator: 'shop', paysAgain: true });
    expect(await simulate(ready, [1, 2])).toMatchObject({ seed: 2, law: null, failure: null });
  });

  test('are fair to a shop that asks the API, and knows what was not sent yet', async () => {
    const report = await simulateChanged({ ...ASKS_THE_API, name: 'asks-the-api-in-stories' }, [1, 2]);
    expect(report).toMatchObject({ seed: 2, failure: null });
  });

  test('are fair to a shop that refuses a refund before it knows the payment', async () => {
    const report = await simulateChanged(
      {
        name: 'refuses-early-refunds',
        changes: [
          [
            'entryOf(this.#refunded, payment_id).set(id, amount);',
            `if (![...this.#paid.values()].some((payments) => payments.has(payment_id))) {
        throw new WebhookVerificationError(new Error('Payment not found'));
      }
      entryOf(this.#refunded, payment_id).set(id, amount);`,
          ],
        ],
      },
      [1, 2, 3],
    );
    expect(report).toMatchObject({ seed: 3, failure: null });
  });

  test.each<[string, ShopLaw]>([
    ['keeps-no-ids', 'once'],
    ['expiry-closes-the-order', 'kept'],
    ['mismatch-pays', 'paid'],
    ['goes-back-to-open', 'kept'],
    ['needs-the-creation-first', 'kept'],
    ['fails-without-the-creation', 'accepted'],
    ['answers-200-although-it-failed', 'kept'],
  ])('find what is wrong with the shop %s, and are shortened to a handful of steps', async (name, law) => {
    const report = await simulateChanged(zooShop(name));
    expect(report).toMatchObject({ law: LAWS[law], failure: { is_shortest: true } });
    const { story = [], failed_step: failed } = report?.failure ?? {};
    expect(story.length).toBeLessThanOrEqual(HANDFUL);
    expect(failed).toBe(story.length);
  });

  test('find what is wrong after one step alone', async () => {
    // The last event of this story is another one, after which nothing is wrong.
    const report = await simulateChanged(
      {
        name: 'shows-goods-twice-for-a-while',
        changes: [
          [
            'readonly #eventIds = new Set<string>();',
            "readonly #eventIds = new Set<string>();\n  #newest = '';",
          ],
          ['this.#eventIds.add(event.id);', 'this.#eventIds.add(event.id);\n    this.#newest = event.type;'],
          [
            'fulfilled: order.fulfilled, refunded_minor',
            "fulfilled: order.fulfilled * (this.#newest === 'refund.requested' ? 2 : 1), refunded_minor",
          ],
        ],
      },
      [4],
    );
    expect(report).toMatchObject({ law: LAWS.once, failure: { is_shortest: true } });
    expect(report?.failure?.story.at(-1)).toMatch(/^send refund\.requested, of \$\wr\d$/);
  });

  test('find what a shop does later by itself', async () => {
    const report = await simulateChanged({
      name: 'sends-goods-again-later',
      changes: [
        [
          'order.fulfilled += 1;',
          'order.fulfilled += 1;\n      setTimeout(() => {\n        order.fulfilled += 1;\n      }, 100);',
        ],
      ],
    });
    expect(report).toMatchObject({ law: LAWS.once, failure: { is_shortest: true } });
    expect(report?.failure?.story).toEqual([
      expect.stringMatching(/^order /),
      expect.stringMatching(/^simulate payment \$\w, outcome succeeded$/),
      expect.stringMatching(/^send payment.succeeded, of \$\w$/),
    ]);
  });
});

describe('the stories of a shop that ends at an event', () => {
  const endsAtExpiry = (then: string) => ({
    name: 'ends-at-an-expiry',
    changes: [
      [
        'shop.receive(webhooks.verify(body, request.headers, secret));',
        `if (webhooks.verify(body, request.headers, secret).type === 'payment.expired') {
          const { port: own } = server.address() as AddressInfo;
          server.close(() => ${then});
          server.closeAllConnections();
        }
        shop.receive(webhooks.verify(body, request.headers, secret));`,
      ] as const,
    ],
  });

  test('are shortened where something starts the shop again', async () => {
    const report = await simulateChanged(
      endsAtExpiry("setTimeout(() => server.listen(own, '127.0.0.1'), 300)"),
    );
    expect(report?.failure).toMatchObject({ is_shortest: true });
    expect(report?.failure?.story.length).toBeLessThanOrEqual(HANDFUL);
    expect(report?.failure?.story.at(-1)).toMatch(/^send payment\.expired, of /);
  });

  test('are told as they were where nothing does, up to that event', async () => {
    const report = await simulateChanged(endsAtExpiry('undefined && own'));
    const { story = [], advice, ...failure } = report?.failure ?? {};
    expect(failure).toMatchObject({ is_shortest: false, failed_step: story.length });
    expect(story.at(-1)).toMatch(/^send payment\.expired, of /);
    expect(advice).toContain('The shop does not answer any more');
  });
});
