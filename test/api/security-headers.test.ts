import { expect, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { acceptableRequest } from '../support/world/resources.ts';
import { send } from '../support/world/send.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  // Sent over TLS alone: browsers must ignore it without TLS.
  'strict-transport-security': baseUrl.startsWith('https:') ? 'max-age=31536000' : null,
};

function expectHeaders({ headers }: Response): void {
  const found = Object.keys(HEADERS).map((name) => [name, headers.get(name)]);
  expect(Object.fromEntries(found)).toEqual(HEADERS);
}

test.each(
  allOperations
    .filter(({ permission }) => permission === null)
    .map((row): [string, Operation] => [row.id, row]),
)('every public page and every refusal of one has security headers: %s', async (_id, row) => {
  const { api } = await newMerchant();
  const sent = await acceptableRequest(row, api);
  const { response } = await send(baseUrl, null, row, sent);
  expect(response.status).toBeLessThan(400);
  expectHeaders(response);
  const params = Object.fromEntries(Object.keys(sent.params ?? {}).map((name) => [name, 'nobody']));
  expectHeaders((await send(baseUrl, null, row, { ...sent, params })).response);
});

test('an operation that requires a key and an unknown path have security headers too', async () => {
  for (const path of ['/api/v1/payments', '/no/such/address']) {
    expectHeaders(await fetch(`${baseUrl}${path}`));
  }
});
