// @module-tag nightly
import type { Job } from '../../../shared/domain/job.ts';
import { refundApproved, refundSent, type Shop } from './shop.ts';
import { type Case, tryCases } from './try-cases.ts';

/** The clock runs a job again and again, until it is done. */
function job(kind: Job['kind'], about: string, happens: (shop: Shop) => Promise<void>): Case {
  return {
    name: `${kind}, ${about}`,
    expected: 'done',
    isGivenUp: false,
    ready: async (shop) => {
      await happens(shop);
      shop.skipNotifications();
      await shop.passUntilDue(kind);
      const run = await shop.newRun();
      return async () => {
        await run();
        return 'done';
      };
    },
  };
}

/** Nothing else is due at the same time as the payment's expiry: the look-ups are done. */
async function open({ create, passUntilDue, runJobs }: Shop): Promise<void> {
  await create();
  for (let looked = 1; looked <= 3; looked += 1) {
    await passUntilDue('look-up-payment');
    await runJobs();
  }
}

tryCases([
  job('look-up-payment', 'unpaid', async ({ create }) => {
    await create();
  }),
  job('look-up-payment', 'paid', async ({ create, pay }) => {
    await create();
    await pay();
  }),
  job('look-up-payment', 'paid late', async (shop) => {
    await shop.create();
    await shop.rest();
    shop.account.pay(String(shop.intents()[0]?.id));
  }),
  job('expire-payment', 'unpaid', open),
  job('expire-payment', 'paid', async (shop) => {
    await open(shop);
    await shop.pay();
  }),
  job('stop-attempt', 'of a request given up', async ({ create, stripe }) => {
    stripe.script('POST /v1', 'cut after', 'cut before');
    await create();
  }),
  job('send-refund', 'approved', refundApproved),
  job('look-up-refund', 'paid back', async (shop) => {
    shop.account.payBack(await refundSent(shop));
  }),
]);
