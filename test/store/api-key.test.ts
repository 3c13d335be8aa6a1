import { expect, test } from 'vitest';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { injectFaults } from '../support/faults.ts';
import { newMerchantName } from '../support/merchant.ts';

const { issueApiKey, listApiKeys } = await import('../../shared/store/api-key.ts');

const BATCH_GET_MAX = 100;

test('keys are listed oldest first, however many there are, without a call for each', async () => {
  const merchant = newMerchantName();
  const order = { merchant, mode: 'test', permissions: PRESETS.tester, version: NEWEST_VERSION } as const;
  const ids: string[] = [];
  for (let made = 0; made < BATCH_GET_MAX + 1; made += 1) {
    const { key } = await issueApiKey({ ...order, label: `${made}` }, Date.now());
    ids.push(key.id);
  }
  const single = injectFaults('GetItemCommand', []);
  expect((await listApiKeys(merchant)).map(({ id }) => id)).toEqual(ids);
  expect(single.calls()).toBe(0);
  expect((await listApiKeys()).length).toBeGreaterThanOrEqual(ids.length);
});
