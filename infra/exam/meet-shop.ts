import type { NamedSigner } from '../events/signing-secret.ts';
import { hintOfStatus } from './advice.ts';
import type { Examiner } from './ask-question.ts';
import { askProbe, openOrder, type ShopAddresses, ShopError, whileStarting } from './shop.ts';
import type { ShopAbility } from './stories.ts';

/** What the shop can be asked, found out by a first order. */
type Abilities = Readonly<Record<ShopAbility, string | null>>;

/**
 * The first requests to a shop: a signed one that it must accept, and an order.
 * @param key of the world in which the shop may create the payment
 * @returns why what needs an ability is skipped; null where the shop has it
 * @throws ShopError if the receiver accepts nothing that is signed with the secret, or the addresses for tests do not
 *   respond as contract §19 says
 */
export async function meetShop(
  examiner: Examiner,
  shop: ShopAddresses,
  signer: NamedSigner,
  key: string,
): Promise<Abilities> {
  await expectAccepted(examiner, signer);
  const lacks = await findLacks(shop, key);
  examiner.creator = lacks['payments of the shop'] === null ? 'shop' : 'exam';
  return lacks;
}

/** @throws ShopError if the receiver accepts nothing that is signed with the secret: every question would say the same */
async function expectAccepted(examiner: Examiner, { shown, printable, options }: NamedSigner): Promise<void> {
  const status = await examiner.greet();
  if (status === null) {
    return;
  }
  const hint = hintOfStatus(status);
  if (hint !== null) {
    throw new ShopError(`The receiver answered ${status} to a signed ping. ${hint}`);
  }
  const start =
    printable === null
      ? 'Start your shop with the same one.'
      : `Start your shop with the secret that "pg exam --print-secret${options}" prints, for the same key.`;
  throw new ShopError(
    `The receiver answered ${status} to a ping that is signed with ${shown}: it may hold another secret. ${start} If it has that one: the signature is of the bytes as they came, before any parser.`,
  );
}

/** Opens an order, and asks for it. @returns why questions with each need are skipped; null where they are asked */
async function findLacks({ order, probe }: ShopAddresses, key: string): Promise<Abilities> {
  if (order === null || probe === null) {
    const missing = [order === null ? '--order' : null, probe === null ? '--probe' : null];
    const reason = `it needs ${missing.filter((name) => name !== null).join(' and ')}`;
    return { probe: reason, refunds: reason, 'payments of the shop': reason };
  }
  const reference = `exam-${crypto.randomUUID()}`;
  const payment = await whileStarting(() =>
    openOrder(order, reference, { currency: 'THB', minor: 10_000 }, key),
  );
  const said = await whileStarting(() => askProbe(probe, reference));
  if (said === null) {
    throw new ShopError(`--probe knows no order that --order has opened: it answered 404 for ${reference}`);
  }
  return {
    probe: null,
    refunds: said.refundedMinor === null ? 'the probe says nothing of refunds' : null,
    'payments of the shop':
      payment === null ? 'the answer of --order names no payment_id, so the exam creates the payments' : null,
  };
}
