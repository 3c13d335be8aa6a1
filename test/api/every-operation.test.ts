import { describe, expect, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { PERMISSIONS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { newId } from '../../shared/domain/id.ts';
import { clientOf, newMerchant, type Received } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { acceptableRequest, changedBody } from '../support/world/resources.ts';
import { quietItems } from '../support/world/stored-items.ts';

const keyed = allOperations.filter((row) => row.permission !== null);
const idempotent = keyed.filter((row) => row.idempotent);
const byId = keyed.filter((row) => row.path.includes('{id}'));
/** What API Gateway adds to every response. */
const GATEWAY_HEADERS = ['x-amzn-requestid', 'x-amz-apigw-id', 'x-amzn-trace-id', 'x-amz-request-id'];
/** What no response repeats. Ids, which are in lower case, do not have it by chance. */
const ECHO = 'XXXX';
const byIdName = (row: Operation) => [row.id, row] as const;

/** A request that would be accepted, and a merchant that may send it. */
async function ready(row: Operation) {
  const merchant = await newMerchant();
  return { ...merchant, sent: await acceptableRequest(row, merchant.api) };
}

const prepared = new Map<Operation, ReturnType<typeof ready>>();

/** One request for a row: refusals change nothing, so it is still acceptable after them. */
function readyOnce(row: Operation) {
  const one = prepared.get(row) ?? ready(row);
  prepared.set(row, one);
  return one;
}

let stranger: ReturnType<typeof newMerchant> | undefined;

describe.each(keyed.map(byIdName))('%s', (_id, row) => {
  test('requires a key', async () => {
    const { sent } = await readyOnce(row);
    const without = await clientOf(null)(row, sent);
    expect([without.status, without.problem.code]).toEqual([401, 'authentication_missing']);
    const basic = await clientOf(null)(row, { ...sent, headers: { Authorization: 'Basic dXNlcjpwYXNz' } });
    expect(basic.problem.code).toBe('authentication_missing');
  });

  test('refuses a key that is mistyped, unknown or revoked', { tags: 'slow' }, async () => {
    const { merchant, sent } = await readyOnce(row);
    const { secret, id } = await newKey({ merchant });
    const mistyped = `${secret.slice(0, -1)}${secret.endsWith('a') ? 'b' : 'a'}`;
    expect((await clientOf(mistyped)(row, sent)).problem.code).toBe('api_key_invalid');
    const { mintSecret } = await import('../../shared/domain/api-key.ts');
    expect((await clientOf(mintSecret('test'))(row, sent)).problem.code).toBe('api_key_invalid');
    const { revokeApiKey } = await import('../../shared/store/worlds/api-key.ts');
    await revokeApiKey(id, 'a test', Date.now());
    const revoked = await clientOf(secret)(row, sent);
    expect([revoked.status, revoked.problem.code]).toEqual([401, 'api_key_revoked']);
  });

  test('requires its permission, and names it', async () => {
    const { merchant, sent } = await readyOnce(row);
    if (row.permission === 'any') {
      const { secret } = await newKey({ merchant, permissions: [] });
      expect((await clientOf(secret)(row, sent)).status).toBe(200);
      return;
    }
    const others = PERMISSIONS.filter((one) => one !== row.permission && one !== row.testPermission);
    const { secret } = await newKey({ merchant, permissions: others });
    const { status, problem } = await clientOf(secret)(row, sent);
    expect([status, problem.code, problem.details]).toEqual([
      403,
      'permission_denied',
      { required: row.permission },
    ]);
  });

  test('refuses a version that is not a date', { tags: 'slow' }, async () => {
    const { api, sent } = await readyOnce(row);
    for (const version of ['latest', '2026-02-30', '20261101', '']) {
      const { status, problem } = await api(row, { ...sent, headers: { 'PG-Version': version } });
      expect([status, problem.code]).toEqual([400, 'version_invalid']);
    }
  });

  test('refuses a live key that it does not support, before any other check', async () => {
    const { secret } = await newKey({ mode: 'live' });
    const { problem, headers } = await clientOf(secret)(row, {
      params: { id: newId('pay', 0), delivery_id: newId('dlv', 0) },
      idempotencyKey: 'x',
      ...(row.body !== undefined && { body: {} }),
    });
    expect(headers.get('pg-clock')).toBeNull();
    if (row.mode !== 'any') {
      expect(problem.code).toBe(row.mode === 'test' ? 'test_mode_only' : 'live_mode_unavailable');
    }
  });
});

describe.each(keyed.map(byIdName))('%s', (_id, row) => {
  test('refuses a query parameter that it does not have, and changes nothing', { tags: 'slow' }, async () => {
    const { api, sent } = await readyOnce(row);
    const { status, problem } = await api(row, { ...sent, query: { amount: '100' } });
    expect([status, problem.errors]).toEqual([
      422,
      [{ code: 'unknown', field: 'amount', message: 'is not a known field' }],
    ]);
  });
});

describe.each(idempotent.map(byIdName))('%s', (_id, row) => {
  test('requires an Idempotency-Key', async () => {
    const { api, sent } = await readyOnce(row);
    const { status, problem } = await api(row, { ...sent, idempotencyKey: null });
    expect([status, problem.code]).toEqual([400, 'idempotency_key_missing']);
    for (const key of ['k'.repeat(256), '"open', '"a"b"', 'caf\u00e9']) {
      expect((await api(row, { ...sent, idempotencyKey: key })).problem.code).toBe('idempotency_key_invalid');
    }
  });

  test('refuses the same key for another body', { tags: 'slow' }, async () => {
    const { api, sent } = await ready(row);
    const body = changedBody(row, sent);
    if (body !== null) {
      await api(row, { ...sent, idempotencyKey: 'once' });
      const { status, problem } = await api(row, { ...sent, idempotencyKey: 'once', body });
      expect([status, problem.code]).toEqual([422, 'idempotency_key_reused']);
    }
  });

  test('refuses a bad body with a clear problem, and stores nothing', { tags: 'slow' }, async () => {
    const { api, merchant, sent } = await readyOnce(row);
    const before = await quietItems(merchant);
    const bad: [body: unknown, status: number, code: string][] = [
      ['{"amount":', 400, 'malformed_json'],
      ['\u0000', 400, 'malformed_json'],
      ['\n', 400, 'malformed_json'],
      ['[]', 422, 'validation_failed'],
      ['"text"', 422, 'validation_failed'],
      [{ ...(sent.body as object), surprise: 1 }, 422, 'validation_failed'],
      ['{"__proto__":{"a":1}}', 422, 'validation_failed'],
      [JSON.stringify({ pad: ECHO.repeat(65 * 256) }), 413, 'body_too_large'],
    ];
    for (const [body, status, code] of bad) {
      const { problem, text } = await api(row, { ...sent, body });
      expect([problem.status, problem.code]).toEqual([status, code]);
      expect(text).not.toContain(ECHO);
    }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status, problem } = await api(row, { ...sent, body: 'a=b', headers: form });
    expect([status, problem.code]).toEqual([415, 'unsupported_media_type']);
    expect(await quietItems(merchant)).toEqual(before);
  });

  test('names an unknown field', { tags: 'slow' }, async () => {
    const { api, sent } = await readyOnce(row);
    const { problem } = await api(row, { ...sent, body: { ...(sent.body as object), surprise: 1 } });
    expect(problem.errors).toContainEqual(expect.objectContaining({ code: 'unknown', field: 'surprise' }));
  });
});

describe.each(byId.map(byIdName))('%s', (_id, row) => {
  test('treats an id of another merchant or of the other mode as one that does not exist', {
    tags: 'slow',
  }, async () => {
    const { merchant, api, sent } = await readyOnce(row);
    const missing = await api(row, {
      ...sent,
      params: { ...sent.params, id: sameKindOfId(sent.params?.id) },
    });
    expect(missing.status).toBe(404);
    stranger ??= newMerchant();
    const foreign = await (await stranger).api(row, sent);
    const malformed = await api(row, { ...sent, params: { ...sent.params, id: 'not an id' } });
    for (const other of [foreign, malformed]) {
      expect(withoutRequest(other)).toEqual(withoutRequest(missing));
    }
    if (row.mode === 'any') {
      const live = await clientOf((await newKey({ merchant, mode: 'live' })).secret)(row, sent);
      expect(withoutInstance(live)).toEqual(withoutInstance(missing));
    }
  });

  test('refuses a body whose id is not that of the path', { tags: 'slow' }, async () => {
    const { api, sent } = await readyOnce(row);
    if (row.bodyId !== undefined) {
      const { problem } = await api(row, {
        ...sent,
        body: { ...(sent.body as object), [row.bodyId]: sameKindOfId(sent.params?.id) },
      });
      expect(problem.errors).toEqual([expect.objectContaining({ code: 'mismatch', field: row.bodyId })]);
    }
  });
});

describe.each(keyed.map(byIdName))('%s', (_id, row) => {
  const replays = row.idempotent ? ', and replays the saved response byte for byte' : '';
  test(`responds as its row declares after all refusals, in any version${replays}`, async () => {
    const { api, sent } = await readyOnce(row);
    const request = { ...sent, headers: { 'PG-Version': '1999-12-31' }, idempotencyKey: 'once' };
    const first = await api(row, request);
    expect(first.status).toBe(row.success.status);
    expect(first.headers.get('pg-version')).toBe(NEWEST_VERSION);
    expect(first.headers.get('pg-clock')).toMatch(/^\d{4}-.*Z$/);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    if (row.idempotent) {
      const replayed = await api(row, request);
      expect([replayed.status, replayed.text]).toEqual([first.status, first.text]);
      expect(replayed.headers.get('idempotent-replayed')).toBe('true');
      expect(replayed.headers.get('original-request-id')).toBe(first.headers.get('x-request-id'));
      expect(replayed.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    }
  });
});

function sameKindOfId(id = ''): string {
  return newId(id.slice(0, 3) as 'pay', 1);
}

function withoutInstance({ status, problem }: Received<Operation>) {
  return { status, problem: { ...problem, instance: '' } };
}

/** A response without the values that differ from request to request. */
function withoutRequest(received: Received<Operation>) {
  const headers = [...received.headers].filter(
    // A deployed service has a gateway in front, which numbers requests too.
    ([name]) => !['x-request-id', 'date', 'pg-clock', ...GATEWAY_HEADERS].includes(name),
  );
  return { ...withoutInstance(received), headers };
}
