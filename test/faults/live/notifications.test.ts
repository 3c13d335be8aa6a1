// @module-tag nightly
import { refundSent, type Shop } from './shop.ts';
import { type Case, tryCases } from './try-cases.ts';

/** Stripe repeats a notification that was not accepted, for days, or gives up on an address that does not respond. */
function notification(what: string, happens: (shop: Shop) => Promise<void>): Case {
  return {
    name: `be notified that ${what}`,
    expected: '200',
    ready: async (shop) => {
      await happens(shop);
      const event = shop.account.events.at(-1);
      if (event === undefined) {
        throw new Error('nothing has happened');
      }
      shop.skipNotifications();
      return async () => String(await shop.notify(event));
    },
  };
}

tryCases([
  notification('a payment was paid', async ({ create, pay }) => {
    await create();
    await pay();
  }),
  notification('another amount was paid', async ({ create, pay }) => {
    await create();
    await pay(100_000);
  }),
  notification('a payment has failed', async ({ create, intents, account }) => {
    await create();
    account.fail(String(intents()[0]?.id));
  }),
  notification('a refund was paid back', async (shop) => {
    shop.account.payBack(await refundSent(shop));
  }),
  notification('a refund has failed', async (shop) => {
    shop.account.failRefund(await refundSent(shop));
  }),
]);
