import { refundSent, type Shop } from './shop.ts';
import { type Case, tryCases } from './trials.ts';

/** Stripe repeats a notification that was not accepted, for days, or gives up on an address that does not respond. */
function notice(what: string, happens: (shop: Shop) => Promise<void>): Case {
  return {
    name: `hear that ${what}`,
    says: '200',
    ready: async (shop) => {
      await happens(shop);
      const event = shop.account.events.at(-1);
      if (event === undefined) {
        throw new Error('nothing has happened');
      }
      shop.skipNotices();
      return async () => String(await shop.tell(event));
    },
  };
}

tryCases([
  notice('a payment was paid', async ({ create, pay }) => {
    await create();
    await pay();
  }),
  notice('another amount was paid', async ({ create, pay }) => {
    await create();
    await pay(100_000);
  }),
  notice('a payment has failed', async ({ create, intents, account }) => {
    await create();
    account.fail(String(intents()[0]?.id));
  }),
  notice('a refund was paid back', async (shop) => {
    shop.account.payBack(await refundSent(shop));
  }),
  notice('a refund has failed', async (shop) => {
    shop.account.failRefund(await refundSent(shop));
  }),
]);
