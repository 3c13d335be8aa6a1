// @module-tag slow
import { expect, test } from 'vitest';
import { mapLimit } from '../../shared/concurrency/map-limit.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { acceptableRequest } from '../support/world/resources.ts';

const AT_ONCE = 6;

test('a page of any origin may read the document and what is made of it, and nothing else', async () => {
  const headers = { Origin: 'https://tool.example' };
  const allowed = await mapLimit(AT_ONCE, allOperations, async (row) => {
    const { api, secret } = await newMerchant();
    const sent = await acceptableRequest(row, api);
    const caller = row.permission === null ? clientOf(null) : clientOf(secret);
    const answer = await caller(row, { ...sent, headers: { ...headers, ...sent.headers } });
    return `${row.id} ${answer.headers.get('access-control-allow-origin')}`;
  });
  const { getOpenApi, getAsyncApi, getPostmanCollection, getHttpFile } = operations;
  expect(allowed.filter((origin) => !origin.endsWith(' null')).toSorted()).toEqual(
    [getOpenApi, getAsyncApi, getPostmanCollection, getHttpFile].map(({ id }) => `${id} *`).toSorted(),
  );
});
