import { expect, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { sendRaw } from '../support/world/raw-request.ts';
import { acceptableRequest } from '../support/world/resources.ts';
import { addressOf } from '../support/world/send.ts';

const READS = allOperations.filter(({ method }) => method === 'GET');
const PUBLIC = READS.filter(({ permission }) => permission === null);
const KEYED = READS.filter(({ permission }) => permission !== null);
/** Different in every response, or the connection's. */
const OWN = /^(x-request-id|date|connection|keep-alive|apigw-requestid|x-amz.*)$/;

function headersOf({ headers }: { readonly headers: Headers }): string[][] {
  return [...headers].filter(([name]) => !OWN.test(name));
}

/** HEAD and GET of one address, with the same headers. */
async function ask(address: string) {
  // As a browser: behind a stand-in for AWS, no other client gets a PNG.
  const lines = [['Accept', 'text/html, */*']] as const;
  const head = await sendRaw(address, { method: 'HEAD', lines });
  return { head, get: await sendRaw(address, { lines }) };
}

test.each(PUBLIC.map((row): [string, Operation] => [row.path, row]))(
  'HEAD %s responds as GET does, without the body',
  async (_path, row) => {
    const { api } = await newMerchant();
    const { head, get } = await ask(addressOf(baseUrl, row, await acceptableRequest(row, api)));
    expect([get.status, get.bytes.length > 0]).toEqual([200, true]);
    expect([head.status, head.bytes.length]).toEqual([get.status, 0]);
    expect(headersOf(head)).toEqual(headersOf(get));
    expect(head.headers.get('content-length')).toBe(String(get.bytes.length));
    expect(head.headers.get('x-request-id')).toMatch(/^req_/);
  },
);

test('public pages are tried', () => {
  expect(PUBLIC.map(({ id }) => id)).toContain(operations.getLinkPage.id);
});

test('HEAD of an unknown address responds with 404, as GET does', async () => {
  const { head, get } = await ask(`${baseUrl}/errors/no_such_code`);
  expect([head.status, head.bytes.length, get.status]).toEqual([404, 0, 404]);
  expect(headersOf(head)).toEqual(headersOf(get));
});

test.each(KEYED.map((row): [string, Operation] => [row.path, row]))(
  'HEAD %s, which requires a key, is not an allowed method',
  async (path) => {
    const { secret } = await newMerchant();
    const lines = [['Authorization', `Bearer ${secret}`]] as const;
    const address = `${baseUrl}${path.replaceAll(/\{\w+\}/g, 'x')}`;
    const { status, headers } = await sendRaw(address, { method: 'HEAD', lines });
    expect([status, headers.get('allow')]).toEqual([405, expect.not.stringContaining('HEAD')]);
  },
);
