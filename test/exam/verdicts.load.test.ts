import { describe, expect, onTestFinished, test } from 'vitest';
import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import { newSigningSecret } from '../../shared/domain/secret.ts';
import { baseUrl } from '../support/merchant.ts';
import { examine } from './examine.ts';
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

/** Asks one question of a shop that is a change of the right one. */
async function ask(id: QuestionId, shop: Pick<WrongShop, 'name' | 'changes'>) {
  const secret = newSigningSecret();
  const wrong = { wrong: '', thread: '', caughtBy: id, ...shop };
  const { url, stop } = await startWrongShop(wrong, { port: 0, secret, baseUrl });
  onTestFinished(stop);
  const { report } = await examine(url, secret, { ids: [id] });
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

  test('shows the shortest story that still fails, with its only event as it was sent', async () => {
    const wrong = WRONG_SHOPS.find(({ name }) => name === 'processing-pays');
    if (wrong === undefined) {
      throw new Error('the zoo has changed');
    }
    const result = await ask('PAY-06', wrong);
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
