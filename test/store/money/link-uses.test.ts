import { expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { VIEW } from '../../../shared/contract/views.ts';
import { applyPaymentOutcome } from '../../../shared/domain/payment.ts';
import { countLinkUses } from '../../../shared/store/money/link-uses.ts';
import { commit } from '../../../shared/store/table/commit.ts';
import { find } from '../../../shared/store/table/entity.ts';
import { writesOf } from '../../../shared/store/writes.ts';
import { newMerchant } from '../../support/world/api.ts';
import { createLink, moveClock, worldOf } from '../../support/world/resources.ts';

/** What a new payment does to the counts of its link. */
const NEW = { uses: 0, taken: 1, newPaymentId: 'pay_1' } as const;

test('a late payment cannot take a link use that another payment has taken meanwhile', async () => {
  const { api, merchant } = await newMerchant();
  const link = await createLink(api, { max_uses: 1 });
  const ask = () => fetch(link.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
  await ask();
  await moveClock(api, 16 * 60);
  const id = String((await api(operations.listPayments)).json.data[0]?.id);
  const world = await worldOf(merchant);
  const expired = await find('payment', world, id);
  if (expired?.status !== 'expired') {
    throw new Error('its time is over');
  }
  const paid = applyPaymentOutcome(expired, 'succeeded', expired.expiresAtMs + 1_000);
  expect((await ask()).status).toBe(303);
  // Decided as if the use were free still: the write itself refuses, and the caller decides again.
  expect(await commit(writesOf({ world }, [paid], VIEW))).toEqual({ kind: 'conflict', failed: [1] });
});

test('no payment begins by a link that was disabled after it was decided', async () => {
  const { api, merchant } = await newMerchant();
  const link = await createLink(api);
  const world = await worldOf(merchant);
  const begin = () => commit([countLinkUses(world, { kind: 'link-use', linkId: link.id, ...NEW })]);
  expect(await begin()).toEqual({ kind: 'committed' });
  await api(operations.disablePaymentLink, { params: { id: link.id } });
  expect(await begin()).toEqual({ kind: 'conflict', failed: [0] });
});

test('as many payments begin as a link has uses, and no more', async () => {
  const { api, merchant } = await newMerchant();
  const link = await createLink(api, { max_uses: 2 });
  const world = await worldOf(merchant);
  const begin = () => commit([countLinkUses(world, { kind: 'link-use', linkId: link.id, ...NEW })]);
  const outcomes = [await begin(), await begin(), await begin()];
  expect(outcomes.map(({ kind }) => kind)).toEqual(['committed', 'committed', 'conflict']);
});
