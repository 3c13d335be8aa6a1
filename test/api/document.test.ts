import { expect, test } from 'vitest';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { clientOf, newMerchant } from '../support/api.ts';
import { acceptableRequest } from '../support/resources.ts';

test('a page of any origin may read the document, and nothing else', async () => {
  const headers = { Origin: 'https://tool.example' };
  const readable: string[] = [];
  for (const row of allOperations) {
    const { api, secret } = await newMerchant();
    const sent = await acceptableRequest(row, api);
    const caller = row.permission === null ? clientOf(null) : clientOf(secret);
    const answer = await caller(row, { ...sent, headers: { ...headers, ...sent.headers } });
    if (answer.headers.get('access-control-allow-origin') !== null) {
      readable.push(`${row.id} ${answer.headers.get('access-control-allow-origin')}`);
    }
  }
  expect(readable).toEqual([`${operations.getOpenApi.id} *`]);
});
