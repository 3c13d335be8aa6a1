import { expect, test, vi } from 'vitest';
import type { Operation } from '../../../shared/contract/operation.ts';
import { allOperations, operations } from '../../../shared/contract/operations.ts';
import { PERMISSIONS, type Permission, PRESETS } from '../../../shared/contract/permissions.ts';
import { withRecentTime } from '../../../shared/docs/samples.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';
import { type Client, clientOf, newMerchant, type Received } from '../../support/world/api.ts';
import { type Inhabitants, inhabitWorld, paramsIn } from '../../support/world/inhabited-world.ts';
import { newKey } from '../../support/world/merchant.ts';
import { BUSY, resend } from '../../support/world/resend.ts';
import { acceptableRequest, createWorld } from '../../support/world/resources.ts';
import type { Sent } from '../../support/world/send.ts';
import { quietItems } from '../../support/world/stored-items.ts';
import { eachAtOnce } from '../hostile/exchange.ts';

const { revokeApiKey } = await import('../../../shared/store/worlds/api-key.ts');

const keyed = allOperations.filter((row) => row.permission !== null);
const MARK = 'zqvictim';

/** One request that must have no effect, and its expected response. */
interface Attack {
  readonly row: Operation;
  readonly sent: Sent;
  readonly secret: string;
  readonly code: RegExp;
}

async function newVictim(mark: string) {
  const owner = await newMerchant();
  const world = await inhabitWorld(owner.api, mark);
  return { ...owner, world, cursors: await cursorsOf(owner.api, world) };
}

/** A world that a merchant has created, with one of everything. */
async function newCreated(owner: Client, mark: string) {
  const { key: secret } = await createWorld(owner);
  return { secret, world: await inhabitWorld(clientOf(secret), mark) };
}

/** The cursors of a merchant's lists. */
async function cursorsOf(api: Client, world: Inhabitants): Promise<string[]> {
  const lists = keyed.filter(isList);
  const pages = await Promise.all(
    lists.map((row) => api(row, { params: paramsIn(world, row.path), query: { limit: '1' } })),
  );
  return pages.flatMap(({ text }) => JSON.parse(text).next_cursor ?? []);
}

/** A request for a resource of a world, with its id in the body too if there is a field for it. */
function requestFor(row: Operation, world: Inhabitants): Sent {
  const params = paramsIn(world, row.path);
  const id = row.bodyId === undefined ? {} : { [row.bodyId]: params.id };
  return { params, ...(row.body !== undefined && { body: { ...withRecentTime(row.example ?? {}), ...id } }) };
}

function isList({ query }: Operation): boolean {
  return query !== undefined && 'limit' in Object(query).entries;
}

/** Sends all of them, and returns those that were not refused as they must be, or showed data of the victim. */
async function failuresOf(attacks: readonly Attack[], hidden: readonly string[]): Promise<string[]> {
  const failures = await eachAtOnce(attacks, async ({ row, sent, secret, code }) => {
    const client = clientOf(secret);
    const { status, text } = await resend(BUSY, () => client(row, sent));
    const answered = status < 300 ? 'shown' : String(JSON.parse(text).code);
    const shown = hidden.filter((part) => text.includes(part));
    return code.test(answered) && shown.length === 0
      ? []
      : [`${row.id} ${JSON.stringify(sent)}: ${answered}, with ${shown.join(' and ') || 'nothing hidden'}`];
  });
  return failures.flat();
}

/** Requests from one world, with its key, by the ids, cursors and filters of another one. */
function attacksFrom(
  stranger: { readonly secret: string; readonly world: Inhabitants },
  victim: { readonly world: Inhabitants; readonly cursors: readonly string[] },
): Attack[] {
  const { secret } = stranger;
  const values = valuesOf(victim.world);
  const byId = keyed.flatMap((row): Attack[] => {
    const sent = requestFor(row, victim.world);
    const own = requestFor(row, stranger.world);
    const inPath =
      Object.keys(sent.params ?? {}).length === 0
        ? []
        : [sent, ...mixed(sent.params ?? {}, paramsIn(stranger.world, row.path), sent)];
    const inBody =
      row.bodyId === undefined
        ? []
        : values.map((id) => ({
            ...own,
            body: { ...withRecentTime(row.example ?? {}), [row.bodyId ?? '']: id },
          }));
    return [
      ...inPath.map((each) => ({ row, sent: each, secret, code: /_not_found$/ })),
      ...inBody.map((each) => ({ row, sent: each, secret, code: /^validation_failed$/ })),
    ];
  });
  const byQuery = keyed.filter(isList).flatMap((row): Attack[] =>
    queriesOf(row, victim).map((query) => ({
      row,
      sent: { params: paramsIn(stranger.world, row.path), query },
      secret,
      code: /^(shown|validation_failed)$/,
    })),
  );
  return [...byId, ...byQuery];
}

/** The ids of a world. */
function valuesOf(world: Inhabitants): string[] {
  return Object.values(world).filter((value) => value !== world.errors);
}

/** Each filter of a list with each id, text and cursor of a world. */
function queriesOf(
  row: Operation,
  { world, cursors }: { readonly world: Inhabitants; readonly cursors: readonly string[] },
): Record<string, string>[] {
  const names = Object.keys((row.query as { entries?: object }).entries ?? {});
  const foreign = [...valuesOf(world), `${MARK}-reference`, `${MARK}-event`, ...cursors];
  return names.flatMap((name) => foreign.map((value) => ({ [name]: value })));
}

test("no id, cursor or filter gives access to another merchant's or mode's resources", async ({ task }) => {
  const victim = await newVictim(MARK);
  const stranger = await newVictim('stranger');
  const live = await newKey({ merchant: victim.merchant, mode: 'live' });
  const before = await Promise.all([quietItems(victim.merchant), quietItems(stranger.merchant)]);
  const values = valuesOf(victim.world);
  const asLive = keyed.flatMap((row): Attack[] => {
    const sent = requestFor(row, victim.world);
    const { secret } = live;
    if (row.mode !== 'any') {
      return [{ row, sent, secret, code: /^(test_mode_only|live_mode_unavailable)$/ }];
    }
    const byId =
      Object.keys(sent.params ?? {}).length === 0 ? [] : [{ row, sent, secret, code: /_not_found$/ }];
    return byId;
  });
  const asLiveByQuery = keyed.filter(isList).flatMap((row): Attack[] =>
    [{}, ...queriesOf(row, victim)].map((query) => ({
      row,
      sent: { params: paramsIn(victim.world, row.path), query },
      secret: live.secret,
      code: /^(shown|validation_failed|(sink|webhook_endpoint|event)_not_found|test_mode_only)$/,
    })),
  );
  const attacks = [...attacksFrom(stranger, victim), ...asLive, ...asLiveByQuery];
  expect(await failuresOf(attacks, [MARK, ...values])).toEqual([]);
  expect(await Promise.all([quietItems(victim.merchant), quietItems(stranger.merchant)])).toEqual(before);
  task.meta.figures = {
    'requests with ids, cursors and filters of others, none of which led anywhere': attacks.length,
  };
});

test('no id, cursor or filter gives access to another world of the same merchant', async ({ task }) => {
  const victim = await newVictim(MARK);
  const { api, merchant } = victim;
  const [one, two] = [await newCreated(api, 'one'), await newCreated(api, 'two')];
  const ofOne = { ...one, cursors: await cursorsOf(clientOf(one.secret), one.world) };
  const before = await quietItems(merchant);
  const ofOwner = attacksFrom(two, victim);
  const ofEachOther = attacksFrom(two, ofOne);
  expect(await failuresOf(ofOwner, [MARK, ...valuesOf(victim.world)])).toEqual([]);
  expect(await failuresOf(ofEachOther, valuesOf(one.world))).toEqual([]);
  expect(await quietItems(merchant)).toEqual(before);
  const attacks = [...ofOwner, ...ofEachOther];
  task.meta.figures = { "requests between a merchant's worlds, none of which led anywhere": attacks.length };
});

/** If a path has several ids: each time one of the victim's among the stranger's own. */
function mixed(theirs: Record<string, string>, own: Record<string, string>, sent: Sent): Sent[] {
  const names = Object.keys(theirs);
  return names.length < 2
    ? []
    : names.map((name) => ({ ...sent, params: { ...own, [name]: theirs[name] ?? '' } }));
}

test('a key does only what its permissions name, and an invalid key does nothing', async ({ task }) => {
  const victim = await newVictim(MARK);
  const { merchant, secret } = victim;
  const keyWith = async (permissions: readonly Permission[]) =>
    (await newKey({ merchant, permissions })).secret;
  const revoked = await newKey({ merchant });
  await revokeApiKey(revoked.id, 'a test', Date.now());
  const alone = new Map(await eachAtOnce(PERMISSIONS, async (one) => [one, await keyWith([one])] as const));
  const without = new Map(
    await eachAtOnce(
      PERMISSIONS,
      async (one) => [one, await keyWith(PERMISSIONS.filter((other) => other !== one))] as const,
    ),
  );
  const nothing = await keyWith([]);
  const before = await quietItems(merchant);
  const attacks = keyed.flatMap((row): Attack[] => {
    const sent = requestFor(row, victim.world);
    const needed = row.permission as Permission;
    const others = PERMISSIONS.filter((one) => one !== needed && one !== row.testPermission).map((one) =>
      alone.get(one),
    );
    const allButThis = row.testPermission === undefined ? [without.get(needed)] : [];
    const lacking = row.permission === 'any' ? [] : [nothing, ...allButThis, ...others];
    const denied = lacking.map((other) => ({
      row,
      sent,
      secret: String(other),
      code: /^permission_denied$/,
    }));
    const garbled = [...garbledKeys(secret), mintSecret('test'), mintSecret('live'), `${secret}${secret}`];
    const invalid = garbled.map((other) => ({ row, sent, secret: other, code: /^api_key_invalid$/ }));
    return [...denied, ...invalid, { row, sent, secret: revoked.secret, code: /^api_key_revoked$/ }];
  });
  expect(await failuresOf(attacks, [MARK])).toEqual([]);
  expect(await quietItems(merchant)).toEqual(before);
  // A key with the one required permission passes this check: the table above refuses for no other reason.
  const passes = await eachAtOnce(
    keyed.filter(({ method }) => method === 'GET'),
    async (row) => {
      const { status } = await clientOf(alone.get(row.permission as Permission) ?? nothing)(
        row,
        requestFor(row, victim.world),
      );
      return status;
    },
  );
  expect(new Set(passes)).toEqual(new Set([200]));
  task.meta.figures = { 'requests with keys that may not, none of which did anything': attacks.length };
});

/** The key with one character changed, each in turn, with two swapped, cut short, and of the other mode. */
function garbledKeys(secret: string): string[] {
  const start = 'pg_test_'.length;
  const changed = Array.from({ length: secret.length - start }, (_, index) => {
    const at = start + index;
    return `${secret.slice(0, at)}${secret[at] === 'a' ? 'b' : 'a'}${secret.slice(at + 1)}`;
  });
  return [
    ...changed.filter((_, index) => index % 4 === 0),
    secret.slice(0, -1),
    secret.replace('test', 'live'),
  ];
}

test('an Idempotency-Key replays only for the merchant and mode that sent it', async ({ task }) => {
  const rows = keyed.filter(({ idempotent }) => idempotent);
  const answers = await eachAtOnce(rows, async (row) => {
    const owner = await newMerchant();
    const sent = {
      ...(await acceptableRequest(row, owner.api)),
      idempotencyKey: 'shared-key',
    };
    // Where a machine has much to do, the service may be busy: it saves nothing then, and the key stays free.
    const first = await vi.waitUntil(async () => {
      const answer = await owner.api(row, sent);
      return answer.status === 503 ? null : answer;
    }, 60_000);
    const live = await newKey({ merchant: owner.merchant, mode: 'live' });
    const others = [clientOf(live.secret), (await newMerchant()).api, (await newMerchant()).api];
    const foreign: Received<Operation>[] = [];
    for (const api of others) {
      foreign.push(await api(row, sent));
    }
    const again = await owner.api(row, sent);
    return { row, first, foreign, again };
  });
  for (const { row, first, foreign, again } of answers) {
    expect([row.id, again.headers.get('idempotent-replayed'), again.text]).toEqual([
      row.id,
      'true',
      first.text,
    ]);
    for (const { headers, text } of foreign) {
      expect([row.id, headers.get('idempotent-replayed'), headers.get('original-request-id')]).toEqual([
        row.id,
        null,
        null,
      ]);
      expect(text).not.toBe(first.text);
    }
  }
  task.meta.figures = {
    'Idempotency-Keys of others, none of which replayed': answers.flatMap(({ foreign }) => foreign).length,
  };
});

/** Where a secret of a merchant may be read, by the permissions of a key. */
const READERS: Readonly<Record<string, readonly Permission[]>> = {
  // A payment's page: with the payment, but never with a permission for events alone.
  checkout: ['payment.read'],
  // A link's code: with the link, and with every event and delivery that holds it.
  l: ['paymentlink.read', 'event.read', 'webhook.read', 'simulate'],
  sink: ['simulate'],
  'signing secret': ['simulate'],
  // Only with the permissions to read and to manage endpoints.
  "an endpoint's secret": [],
};

test('only keys that may read a resource see its tokens and secrets; no key sees an API key', async ({
  task,
}) => {
  const { api, merchant, secret, world } = await newVictim(MARK);
  const { json: sink } = await api(operations.getWebhookSink, { params: { id: String(world.sinks) } });
  const params = { id: String(world['webhook-endpoints']) };
  const { json: endpoint } = await api(operations.getWebhookEndpoint, { params });
  expect(endpoint.secret).toMatch(/^whsec_/);
  const secrets = {
    checkout: world.checkout,
    l: world.l,
    sink: world.sink,
    'signing secret': sink.secret,
    "an endpoint's secret": endpoint.secret,
  };
  const reads = keyed.filter(({ method }) => method === 'GET');
  const seen = await eachAtOnce(PRESETS.owner, async (permission) => {
    const key = await newKey({ merchant, permissions: [permission] });
    const texts = await Promise.all(
      reads.map(async (row) => {
        const client = clientOf(key.secret);
        // A read that a busy store has cut off shows nothing, and proves nothing.
        const { status, text } = await resend(BUSY, () => client(row, requestFor(row, world)));
        expect(status, `${row.id} with ${permission}: ${text}`).toBeLessThan(429);
        return text;
      }),
    );
    expect(texts.filter((text) => text.includes(secret) || text.includes(key.secret))).toEqual([]);
    return Object.entries(secrets).flatMap(([name, value]) =>
      texts.some((text) => text.includes(String(value))) ? [`${name}: ${permission}`] : [],
    );
  });
  const allowed = Object.entries(READERS).flatMap(([name, permissions]) =>
    permissions.map((one) => `${name}: ${one}`),
  );
  expect(seen.flat().toSorted()).toEqual(allowed.toSorted());
  // The list of sinks shows no signing secret: only the request for one sink does.
  expect((await api(operations.listWebhookSinks)).text).not.toContain('whsec_');
  task.meta.figures = {
    'reads by keys with one permission, searched for secrets': reads.length * PRESETS.owner.length,
  };
});
