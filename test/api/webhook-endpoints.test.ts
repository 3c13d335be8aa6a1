import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { type Permission, PRESETS } from '../../shared/contract/permissions.ts';
import { ENDPOINTS_MAX } from '../../shared/domain/endpoint-limits.ts';
import type { AuditEntry } from '../../shared/store/worlds/audit.ts';
import { type Client, clientOf, newMerchant } from '../support/world/api.ts';
import { newKey } from '../support/world/merchant.ts';
import { BUSY, resend } from '../support/world/resend.ts';

const { readAudit } = await import('../../shared/store/worlds/audit.ts');
const { auditIndexes } = await import('../../shared/store/table/keys.ts');
const { writeAll } = await import('../../shared/store/table/write-all.ts');

const URL_THERE = 'https://shop.example.com/webhooks';

async function create(api: Client, body: Record<string, unknown> = {}) {
  const { status, text, json } = await api(operations.createWebhookEndpoint, {
    body: { url: URL_THERE, ...body },
  });
  expect(status, text).toBe(201);
  return json;
}

async function fieldErrorsOf(api: Client, body: Record<string, unknown>) {
  const { status, problem } = await api(operations.createWebhookEndpoint, { body });
  expect(status).toBe(422);
  return problem.errors?.map(({ field, code }) => `${field}: ${code}`);
}

describe('a webhook endpoint', () => {
  test('requires only a url, and then gets all events', async () => {
    const { api } = await newMerchant();
    const made = await create(api);
    expect(made).toMatchObject({
      id: expect.stringMatching(/^whe_[0-9a-z]{26}$/),
      url: URL_THERE,
      description: null,
      events: ['*'],
      status: 'enabled',
      disabled_reason: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      mode: 'test',
      updated_at: made.created_at,
    });
  });

  test('shows its secret at creation, and when a key that may manage it retrieves it', {
    tags: 'slow',
  }, async () => {
    const { api, merchant } = await newMerchant();
    const { secret, ...made } = await create(api, { description: 'orders', events: ['payment.*'] });
    const params = { id: made.id };
    const reader = clientOf((await newKey({ merchant, permissions: ['webhook.read'] })).secret);
    expect((await reader(operations.getWebhookEndpoint, { params })).json).toEqual(made);
    expect((await reader(operations.listWebhookEndpoints)).json.data).toEqual([made]);
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual([made]);
    expect((await api(operations.getWebhookEndpoint, { params })).json).toEqual({ ...made, secret });
    const { text } = await api(operations.updateWebhookEndpoint, { params, body: {} });
    expect(text).not.toContain('whsec_');
  });

  test('changes only in the given fields', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { secret: _, ...made } = await create(api, { description: 'orders', events: ['payment.*'] });
    const update = async (body: Record<string, unknown>) =>
      (await api(operations.updateWebhookEndpoint, { params: { id: made.id }, body })).json;
    const updated_at = expect.any(String);
    expect(await update({})).toEqual({ ...made, updated_at });
    expect(await update({ description: 'all' })).toEqual({ ...made, description: 'all', updated_at });
    expect(await update({ events: ['*'] })).toMatchObject({ description: 'all', events: ['*'] });
    const elsewhere = 'https://other.example.com:8443/hooks?of=shop';
    expect(await update({ url: elsewhere })).toMatchObject({ url: elsewhere, description: 'all' });
    expect(await update({ enabled: true })).toMatchObject({ status: 'enabled', disabled_reason: null });
    const disabled = { status: 'disabled', disabled_reason: 'requested' };
    expect(await update({ enabled: false })).toMatchObject({ ...disabled, url: elsewhere });
    expect(await update({ description: 'none' })).toMatchObject(disabled);
    expect(await update({ enabled: true })).toMatchObject({ status: 'enabled', disabled_reason: null });
  });

  test('is not found once it is deleted, and its index is free', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const made = [];
    while (made.length < ENDPOINTS_MAX) {
      made.push(await create(api, { description: `number ${made.length}` }));
    }
    const params = { id: String(made[3]?.id) };
    const { json } = await api(operations.deleteWebhookEndpoint, { params });
    expect(json).toEqual({ id: params.id, deleted: true });
    for (const row of [operations.getWebhookEndpoint, operations.deleteWebhookEndpoint]) {
      expect((await api(row, { params })).problem.code).toBe('webhook_endpoint_not_found');
    }
    const last = await create(api);
    const { data } = (await api(operations.listWebhookEndpoints)).json;
    const left = made.filter(({ id }) => id !== params.id).map(({ id }) => id);
    expect(data.map(({ id }) => id)).toEqual([last.id, ...left.toReversed()]);
  });

  test('is one of 16 at most, even by concurrent requests, and sinks do not count', async () => {
    const { api } = await newMerchant();
    // They take slots in a row, so many at once conflict: a slow engine responds to some with busy.
    const body = { url: URL_THERE };
    const creations = Array.from({ length: ENDPOINTS_MAX + 4 }, (_, index) =>
      resend(BUSY, () =>
        api(operations.createWebhookEndpoint, { body, idempotencyKey: `endpoint ${index}` }),
      ),
    );
    // Few, for each is sent the event of each endpoint, all at once.
    const sinks = Array.from({ length: 4 }, (_, index) =>
      resend(BUSY, () => api(operations.createWebhookSink, { idempotencyKey: `sink ${index}` })),
    );
    const codes = (await Promise.all(creations)).map(
      ({ status, problem }) => `${status} ${problem.code ?? ''}`,
    );
    expect(codes.filter((code) => code === '201 ')).toHaveLength(ENDPOINTS_MAX);
    expect(codes.filter((code) => code === '409 endpoint_limit_reached')).toHaveLength(4);
    expect((await Promise.all(sinks)).filter(({ status }) => status !== 201)).toEqual([]);
    expect((await api(operations.listWebhookEndpoints)).json.data).toHaveLength(ENDPOINTS_MAX);
    expect((await api(operations.listWebhookSinks)).json.data).toHaveLength(4);
  });

  test('is not a sink, and a sink is not an endpoint', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const [{ id }, { json: sink }] = [await create(api), await api(operations.createWebhookSink)];
    const asSink = await api(operations.getWebhookSink, { params: { id } });
    expect(asSink.problem.code).toBe('sink_not_found');
    for (const row of [operations.getWebhookEndpoint, operations.deleteWebhookEndpoint]) {
      const { problem } = await api(row, { params: { id: sink.id } });
      expect(problem.code).toBe('webhook_endpoint_not_found');
    }
    expect((await api(operations.listWebhookSinks)).json.data.map((one) => one.id)).toEqual([sink.id]);
  });

  test('belongs to one mode: that of the key', async () => {
    const { api, merchant } = await newMerchant();
    const { secret } = await newKey({ merchant, mode: 'live', permissions: PRESETS.merchant });
    const live = clientOf(secret);
    const [test, inLive] = [await create(api), await create(live)];
    expect(inLive.mode).toBe('live');
    expect((await live(operations.listWebhookEndpoints)).json.data.map(({ id }) => id)).toEqual([inLive.id]);
    expect((await api(operations.listWebhookEndpoints)).json.data.map(({ id }) => id)).toEqual([test.id]);
  });

  test('is deleted by a purge, which counts it', { tags: 'slow' }, async () => {
    const { api } = await newMerchant();
    const { id } = await create(api);
    await create(api);
    await api(operations.createWebhookSink);
    const { json } = await api(operations.purgeTestData);
    expect(json.deleted).toMatchObject({ webhook_endpoints: 2, sinks: 1 });
    expect((await api(operations.getWebhookEndpoint, { params: { id } })).status).toBe(404);
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual([]);
  });
});

describe('a key', () => {
  const READS = ['payment.read', 'refund.read', 'paymentlink.read', 'webhook.read'] as const;

  async function newManager(...permissions: readonly Permission[]) {
    const { api, merchant } = await newMerchant();
    const { secret } = await newKey({ merchant, permissions: ['webhook.manage', ...permissions] });
    return { api, manager: clientOf(secret) };
  }
  const refusalOf = ({
    status,
    problem,
  }: {
    status: number;
    problem: { code?: string; details?: unknown };
  }) => [status, problem.code, problem.details];
  const lacks = (required: string) => [403, 'permission_denied', { required }];

  test.each<[string, Permission]>([
    ['payment.succeeded', 'payment.read'],
    ['payment.*', 'payment.read'],
    ['refund.*', 'refund.read'],
    ['payment_link.created', 'paymentlink.read'],
    ['payout.*', 'payment.read'],
    ['settlement.matched', 'payment.read'],
    ['webhook_endpoint.*', 'webhook.read'],
  ])('makes an endpoint for %s only with %s', { tags: 'slow' }, async (filter, required) => {
    const others = READS.filter((permission) => permission !== required);
    const { api, manager } = await newManager(...others);
    const body = { url: URL_THERE, events: [filter] };
    expect(refusalOf(await manager(operations.createWebhookEndpoint, { body }))).toEqual(lacks(required));
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual([]);
    await create((await newManager(required)).manager, { events: [filter] });
  });

  test.each(READS)(
    'makes an endpoint for everything only with %s too',
    { tags: 'slow' },
    async (required) => {
      const { manager } = await newManager(...READS.filter((permission) => permission !== required));
      for (const events of [undefined, ['*']]) {
        const body = { url: URL_THERE, ...(events && { events }) };
        expect(refusalOf(await manager(operations.createWebhookEndpoint, { body }))).toEqual(lacks(required));
      }
      await create((await newManager(...READS)).manager);
    },
  );

  test('may change URL, status and events only of an endpoint whose events it may read', {
    tags: 'slow',
  }, async () => {
    const { api, manager } = await newManager('refund.read');
    // Neither subscribes to events of endpoints, so nothing is sent to them.
    const wide = await create(api, { events: ['payment.*', 'refund.*'] });
    const narrow = await create(api, { events: ['refund.*'] });
    const before = (await api(operations.listWebhookEndpoints)).json.data;
    const update = ({ id }: { id: string }, body: object) =>
      manager(operations.updateWebhookEndpoint, { params: { id }, body });
    for (const body of [{ url: `${URL_THERE}/2` }, { enabled: false }, { events: ['refund.*'] }]) {
      expect(refusalOf(await update(wide, body)), JSON.stringify(body)).toEqual(lacks('payment.read'));
    }
    expect(refusalOf(await update(narrow, { events: ['*'] }))).toEqual(lacks('payment.read'));
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual(before);
    expect((await update(wide, { description: 'all' })).status).toBe(200);
    const body = { url: `${URL_THERE}/2`, events: ['refund.failed'], enabled: false };
    expect((await update(narrow, body)).status).toBe(200);
  });

  test.each(Object.entries(PRESETS))(
    'of the preset %s makes and moves an endpoint for everything',
    async (_, its) => {
      const { merchant } = await newMerchant();
      const preset = clientOf((await newKey({ merchant, permissions: its })).secret);
      const { id } = await create(preset);
      const body = { url: `${URL_THERE}/2` };
      expect((await preset(operations.updateWebhookEndpoint, { params: { id }, body })).status).toBe(200);
    },
  );
});

describe('the audit', () => {
  test('says which key has added, moved, rotated or deleted an endpoint, and no secret', {
    tags: 'slow',
  }, async () => {
    const { merchant, secret, id: keyId } = await newKey();
    const api = clientOf(secret);
    const url = 'https://shop.example.com/webhooks?token=hidden';
    const { id } = await create(api, { url, events: ['payment.*'] });
    const params = { id };
    const moved = { url: 'https://other.example.com/hook', events: ['*'] };
    const sent = { params, body: moved, idempotencyKey: `move-${id}` };
    await api(operations.updateWebhookEndpoint, sent);
    await api(operations.updateWebhookEndpoint, sent);
    await api(operations.updateWebhookEndpoint, { params, body: { url: 'https://10.0.0.1/' } });
    await api(operations.rotateWebhookSecret, { params });
    await api(operations.deleteWebhookEndpoint, { params });
    await api(operations.purgeTestData);
    const [first, ...others] = (await auditOf(merchant)).toReversed();
    expect(first?.action).toBe('create');
    const by = { actor: keyId, merchant, mode: 'test', subject: id };
    const [before, after] = [
      { host: 'shop.example.com', events: ['payment.*'] },
      { host: 'other.example.com', events: ['*'] },
    ];
    expect(others).toMatchObject([
      { ...by, action: 'add-endpoint', details: before },
      { ...by, action: 'change-endpoint', details: { ...after, changed: ['url', 'events'] } },
      { ...by, action: 'rotate-secret', details: after },
      { ...by, action: 'delete-endpoint', details: after },
    ]);
    expect(JSON.stringify(others)).not.toMatch(/whsec_|hidden/);
  });

  test('lists no entry of another partition or of an action that endpoints do not have', async () => {
    const { merchant, id: keyId } = await newKey();
    const forged = { atMs: Date.now(), actor: keyId, merchant, mode: 'live', subject: 'key_1', details: {} };
    const listed = auditIndexes(merchant, 'aud_1');
    const put = (pk: string, action: string) =>
      writeAll([{ pk, sk: 'AUDIT', ...listed, id: 'aud_1', ...forged, action }], []);
    await put(`ENDPOINT-AUDIT#${merchant}`, 'create');
    await put(`FORGED#${merchant}`, 'add-endpoint');
    expect((await auditOf(merchant)).map(({ subject }) => subject)).toEqual([keyId]);
  });
});

async function auditOf(merchant: string) {
  const entries: AuditEntry[] = [];
  for await (const page of readAudit(merchant)) {
    entries.push(...page);
  }
  return entries;
}

describe('an address', () => {
  test.each([
    ['no url', 'format'],
    ['', 'format'],
    ['http://shop.example.com/webhooks', 'forbidden'],
    ['https://127.0.0.1/webhooks', 'forbidden'],
    ['https://localhost:8443/webhooks', 'forbidden'],
    ['https://10.1.2.3/webhooks', 'forbidden'],
    ['https://[fd00::1]/webhooks', 'forbidden'],
    ['https://169.254.169.254/latest/meta-data', 'forbidden'],
    ['https://user:word@shop.example.com/', 'forbidden'],
    ['https://shop.example.com:25/', 'forbidden'],
    ['https://shop.example.com/#top', 'forbidden'],
    [`https://shop.example.com/${'x'.repeat(2_048)}`, 'too_long'],
  ])('such as %s is refused, and nothing is stored', async (url, code) => {
    const { api } = await newMerchant();
    expect(await fieldErrorsOf(api, { url })).toEqual([`url: ${code}`]);
    expect((await api(operations.listWebhookEndpoints)).json.data).toEqual([]);
    const { id } = await create(api);
    const { problem } = await api(operations.updateWebhookEndpoint, { params: { id }, body: { url } });
    expect(problem.errors).toMatchObject([{ field: 'url', code }]);
  });

  test('on this machine is accepted in test mode and refused in live mode', async () => {
    const { secret } = await newKey({ mode: 'live' });
    expect(await fieldErrorsOf(clientOf(secret), { url: 'http://127.0.0.1:3000/hook' })).toEqual([
      'url: forbidden',
    ]);
  });

  test('is reported together with all other errors', async () => {
    const { api } = await newMerchant();
    const body = { url: 'https://10.0.0.1/', events: ['payment.paid'], description: 'x'.repeat(201), on: 1 };
    expect((await fieldErrorsOf(api, body))?.toSorted()).toEqual([
      'description: too_long',
      'events.0: enum',
      'on: unknown',
      'url: forbidden',
    ]);
    expect(await fieldErrorsOf(api, {})).toEqual(['url: required']);
  });
});

test.each([
  [[], 'events: too_short'],
  [Array.from({ length: 51 }, () => '*'), 'events: too_long'],
  ['payment.*', 'events: type'],
  [[7], 'events.0: enum'],
  [['*', 'payment'], 'events.1: enum'],
  [['payment.*', 'nothing.*'], 'events.1: enum'],
  [['webhook.ping'], 'events.0: enum'],
])('events of %j are refused', async (events, error) => {
  const { api } = await newMerchant();
  expect(await fieldErrorsOf(api, { url: URL_THERE, events })).toEqual([error]);
});
