import { expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { applyPaymentOutcome } from '../../shared/domain/payment.ts';
import { commit } from '../../shared/store/commit.ts';
import { findPayment, recordPayment } from '../../shared/store/payment.ts';
import { newMerchant } from '../support/api.ts';
import { advance, createLink, worldOf } from '../support/resources.ts';

test('late money never takes a use that somebody else has taken meanwhile without that being noticed', async () => {
  const { api, merchant } = await newMerchant();
  const link = await createLink(api, { max_uses: 1 });
  const ask = () => fetch(link.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
  await ask();
  await advance(api, 16 * 60);
  const id = String((await api(operations.listPayments)).json.data[0]?.id);
  const world = await worldOf(merchant);
  const expired = await findPayment(world, id);
  if (expired?.status !== 'expired') {
    throw new Error('its time is over');
  }
  const steps = applyPaymentOutcome(expired, 'succeeded', expired.expiresAtMs + 1_000);
  expect((await ask()).status).toBe(303);
  // Decided as if the use were free still: the write itself refuses, and it is decided anew.
  expect(await commit(recordPayment(world, expired, steps))).toEqual({ kind: 'conflict', which: [1] });
});
