import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startHost, untilDead } from '../support/world/host.ts';
import { resend } from '../support/world/resend.ts';
import { contentOf } from '../support/world/seeded.ts';

const BODY = { profile: 'month' };

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}

test.concurrent.each([
  { crash: 'before store part of seed 3', alreadySeeded: false },
  { crash: 'after commit request', alreadySeeded: true },
])(
  'a seed that dies $crash, then a retry, leave exactly one month',
  async ({ crash, alreadySeeded }) => {
    const preload = [new URL('../support/faults/crash-at-step.ts', import.meta.url).href];
    const host = await startHost({ preload, env: { CRASH: crash } });
    const request = clientOf(host.key, host.baseUrl)(operations.seedTestData, {
      body: BODY,
      idempotencyKey: 'k',
    });
    await expect(request).rejects.toThrow();
    await untilDead(host);

    const next = await startHost({ dir: host.dir });
    try {
      const api = clientOf(next.key, next.baseUrl);
      // With new keys, as another caller would, until the claim of the dead request is over.
      const { status, json } = await resend(['seed_in_progress'], () =>
        api(operations.seedTestData, { body: BODY, idempotencyKey: randomUUID() }),
      );
      expect(status).toBe(200);
      expect(json.already_seeded).toBe(alreadySeeded);
      const { payments, refunds, links, payouts } = await contentOf(api);
      const lengths = [payments, refunds, links, payouts].map(({ length }) => length);
      expect(lengths).toEqual([300, 12, 5, 4]);
      // A payment from a link has no reference of the seed.
      expect(new Set(payments.map(({ reference, id }) => reference ?? id)).size).toBe(300);
      const numbers = payments.map(({ number }) => number);
      expect(numbers.toSorted()).toEqual(
        numbers.map((_, index) => `P-${String(index + 1).padStart(6, '0')}`),
      );

      // The balances, too, were increased once: a settlement finds only the money that is not paid out.
      const { json: settled } = await api(operations.simulateSettlement);
      const { json: rest } = await api(operations.getPayout, { params: { id: String(settled.payout_id) } });
      const paidOut = sum(payouts.map(({ amount }) => amount.minor));
      const { gross_minor: gross, refunded_minor: refunded } = json.summary;
      expect(rest.amount.minor).toBe(gross - refunded - paidOut);
      const { json: again } = await api(operations.seedTestData, { body: BODY });
      expect(again).toMatchObject({ already_seeded: true, ids: json.ids });
    } finally {
      await next.stop();
    }
  },
  90_000,
);
