import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, type CfnElement } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { CODE_OF } from '../../../infra/aws/constructs/clock-and-jobs.ts';
import { PaymentFunction } from '../../../infra/aws/constructs/payment-function.ts';
import { storageOf } from '../../../infra/aws/grants.ts';
import { PaymentStack } from '../../../infra/aws/payment-stack.ts';
import { functionNameOf } from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { newId } from '../../../shared/domain/id.ts';
import { RESOURCE_NAMES, type ResourceName } from '../../../shared/domain/resource.ts';
import { WORKERS } from '../../../shared/store/table/access.ts';
import * as keys from '../../../shared/store/table/keys.ts';
import { type ByPartition, listBy, RESOURCE_ITEMS } from '../../../shared/store/table/resource-items.ts';
import { INDEXES, type IndexName, LAST_USED_ATTRIBUTES } from '../../../shared/store/table/table.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { type IamStatement, isAllowed } from './iam.ts';

const HASH = 'ab'.repeat(32);
/** Where API keys are stored, of live mode and of test mode. */
const API_KEYS: readonly (keyof typeof keys.PARTITIONS)[] = ['KEY', 'TEST-KEY'];
const WORLD = { id: '0123456789abcdef', epoch: 7, clockOffsetMs: 0 };
const PAYMENT_ID = 'pay_01hzy0000000000000000000aa';

/** A key for each kind of resource. */
function keysOf<Name extends string>(
  keyOf: (row: (typeof RESOURCE_ITEMS)[ResourceName], name: ResourceName) => readonly [Name, string],
) {
  return Object.fromEntries(RESOURCE_NAMES.map((name) => keyOf(RESOURCE_ITEMS[name], name))) as Record<
    Name,
    string
  >;
}

/** A key for each list of what belongs together. */
function keysOfListsBy() {
  const lists = RESOURCE_NAMES.flatMap((name) => {
    const by = listBy(name);
    return by === null ? [] : [[by.partition, keys.byPk(name, WORLD, PAYMENT_ID)]];
  });
  return Object.fromEntries(lists) as Record<ByPartition, string>;
}

/** A partition key of every kind, as the store builds it. */
const PARTITION_KEYS: Readonly<Record<keyof typeof keys.PARTITIONS, string>> = {
  KEY: keys.apiKeyKey('pg_live_x').pk,
  'TEST-KEY': keys.testApiKeyKey('pg_test_x').pk,
  AUDIT: keys.auditKey('aud_1').pk,
  'ENDPOINT-AUDIT': keys.endpointAuditKey('aud_1').pk,
  WORLD: keys.worldKey(WORLD.id).pk,
  'TEST-WORLD': keys.createdWorldKey(WORLD.id).pk,
  'WORLD-SLOTS': keys.worldSlotsPk('acme'),
  'ENDPOINT-PLACES': keys.endpointPlacesPk('acme'),
  ...keysOf(({ partition }, name) => [partition, keys.keyOf(name, WORLD, 'x').pk]),
  CODE: keys.linkCodeKey('ABCDEFGHJK').pk,
  POSTS: keys.linkPostsKey(WORLD, 'lnk_1', 1).pk,
  SETTLED: keys.settledKey(WORLD, 'sim_provider', '2026-11-21').pk,
  BALANCES: keys.balancesPk(WORLD),
  OUTBOX: keys.outboxKey(WORLD, PAYMENT_ID, 1).pk,
  EVENTS: keys.eventsKey(WORLD, 1).pk,
  REQUESTS: keys.requestKey(WORLD, 'req_1').pk,
  'PROVIDER-EVENTS': keys.providerEventKey(WORLD, 'pev_1').pk,
  ENDPOINTS: keys.endpointsPk(WORLD),
  TOKEN: keys.sinkKey('token').pk,
  NOTICES: keys.notificationsKey('token').pk,
  DELIVERIES: keys.deliveryKey(WORLD, 'snk_1', newId('dlv', 1)).pk,
  ONCE: keys.onceKey(WORLD, HASH).pk,
  WAKE: keys.nextRunKey(WORLD).pk,
  SEED: keys.seedKey(WORLD, 'small').pk,
  PARKED: keys.PARKED_PK,
  MOVE: keys.moveKey(WORLD.id, 'key').pk,
  ADVANCE: keys.advanceCountsPk(WORLD, 'key'),
  JOBS: keys.jobPkOf(WORLD, PAYMENT_ID),
  QUEUE: keys.queuePk(WORLD, 'snk_1'),
  PLACES: keys.placesPk({ mode: 'test', merchant: 'acme' }),
  LEASE: keys.leaseKey(WORLD).pk,
  PURGE: keys.purgeKey(WORLD.id, 'key').pk,
};

/** A partition key of every kind in the indexes. */
const INDEX_KEYS: {
  readonly [Index in IndexName]: Readonly<Record<keyof (typeof keys.INDEX_PARTITIONS)[Index], string>>;
} = {
  newest: {
    ...keysOf(({ partition }, name) => [`${partition}S` as const, keys.blockPk(name, WORLD, 0)]),
    KEYS: keys.apiKeyIndexes('acme', 'key_1').newestPk,
    AUDIT: keys.auditIndexes('acme', 'aud_1').newestPk,
  },
  related: {
    ...keysOfListsBy(),
    TOLD: keys.resourceEventsPk(WORLD, PAYMENT_ID),
    KEYS: keys.apiKeyIndexes('acme', 'key_1').relatedPk,
    AUDIT: keys.auditIndexes('acme', 'aud_1').relatedPk,
    FAILED: keys.failedPk(WORLD),
    REST: keys.restIndex(WORLD, 'act_1').relatedPk,
  },
  due: {
    DUE: keys.dueIndex({ ...WORLD, mode: 'test' }, PAYMENT_ID, 0).duePk,
    'LIVE-DUE': keys.dueIndex({ ...WORLD, mode: 'live' }, PAYMENT_ID, 0).duePk,
  },
};

const ACTIONS = {
  get: 'GetItem',
  batchGet: 'BatchGetItem',
  query: 'Query',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  batchWrite: 'BatchWriteItem',
} as const;
const WRITES = ['put', 'update', 'delete', 'batchWrite'] as const;
/** What names no partition key, or leaves it to a statement in a text. */
const WITHOUT_KEYS = ['Scan', 'PartiQLSelect', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'];
/** What functions that require no API key can change. */
const WRITTEN_BY_ANYBODY: Readonly<Record<string, readonly string[]>> = {
  'receive-webhook': ['TOKEN'],
  'receive-notice': ['BALANCES', 'JOBS', 'LINK', 'OUTBOX', 'PAYMENT', 'PROVIDER-EVENTS', 'REFUND'],
  'act-on-checkout': ['BALANCES', 'JOBS', 'LINK', 'OUTBOX', 'PAYMENT', 'POSTS', 'PROVIDER-EVENTS'],
  'pay-by-link': ['JOBS', 'LINK', 'ONCE', 'OUTBOX', 'PAYMENT', 'POSTS'],
};

/** What an operator alone sets of a world, by the command line. */
const NEVER_OF_A_WORLD = [
  'id',
  'created',
  'merchant',
  'mode',
  'provider',
  'displayName',
  'logoUrl',
  'keyCount',
];
/** What some function changes of a world. */
const OF_A_WORLD = [
  ...RESOURCE_NAMES.map((resource) => `${resource}Count`),
  'epoch',
  'clockOffsetMs',
  'clockVersion',
  'movedToMs',
  'eventBlock',
  'behind',
  'behindVersion',
  'expiresAtMs',
  'restEpoch',
  'forkSource',
  'copiedAtMs',
  'duePk',
  'dueSk',
];
/** What creates worlds, with a key of test mode each. */
const CREATING_WORLDS: readonly string[] = ['create-test-world', 'fork-test-world'];

/** Whether this is how the key of a new world is written: the only keys that functions write. */
function isOfNewWorld(name: string, verb: (typeof WRITES)[number], kind: string): boolean {
  return CREATING_WORLDS.includes(name) && verb === 'put' && kind === 'TEST-KEY';
}

const outdir = mkdtempSync(path.join(tmpdir(), 'payments-grants-'));
const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
const stack = new PaymentStack(app, 'payments-granted', { isProduction: true });
const template = Template.fromStack(stack);
const [tableId = ''] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table'));
const functions = stack.node.findAll().filter((child) => child instanceof PaymentFunction);
const names = functions.map(({ node }) => node.id);
const statements = new Map(functions.map((each) => [each.node.id, statementsOf(each)]));
const rows = allOperations.map((row) => ({ row, name: functionNameOf(row) }));
const keyed = rows.filter(({ row }) => row.permission !== null).map(({ name }) => name);
const partitions = Object.keys(PARTITION_KEYS) as (keyof typeof PARTITION_KEYS)[];

afterAll(() => rm(outdir, { recursive: true, force: true }));

describe('the kinds of partitions', () => {
  test.each(partitions)('a key of %s is of that kind and of no other', (kind) => {
    const statement = (pattern: string): IamStatement[] => [
      { Effect: 'Allow', Action: 'x', Resource: '*', Condition: { StringLike: { key: pattern } } },
    ];
    const request = { action: 'x', resource: 'y', context: { key: [PARTITION_KEYS[kind]] } };
    const kinds = Object.entries(keys.PARTITIONS).filter(([, pattern]) =>
      isAllowed(statement(pattern), request, String),
    );
    expect(kinds.map(([name]) => name)).toEqual([kind]);
  });
});

describe.each(names)('%s', (name) => {
  const worker = `workers/${CODE_OF[name] ?? name}`;
  const access = storageOf(worker in WORKERS ? worker : name);

  test('may do to each kind of partition what its row says, and nothing else', () => {
    for (const kind of partitions.filter((each) => !API_KEYS.includes(each))) {
      for (const [verb, action] of Object.entries(ACTIONS)) {
        const said: readonly string[] = access[verb as keyof typeof ACTIONS] ?? [];
        expect(may(name, action, [PARTITION_KEYS[kind]]), `${action} ${kind}`).toBe(said.includes(kind));
      }
    }
  });

  test('may list from each kind of partition of an index what its row says, and nothing else', () => {
    for (const [index, kinds] of Object.entries(INDEX_KEYS)) {
      for (const [kind, key] of Object.entries(kinds)) {
        const said: readonly string[] = access.list ?? [];
        expect(may(name, 'Query', [key], { index }), kind).toBe(said.includes(kind));
        expect(may(name, 'Query', [key]), `${kind}, of the table`).toBe(false);
      }
    }
  });

  test('can make, change, end or delete no API key, and write nothing into their audit', () => {
    for (const kind of [...API_KEYS, 'AUDIT'] as const) {
      for (const verb of WRITES.filter((each) => !isOfNewWorld(name, each, kind))) {
        const attributes = ['pk', 'sk', 'permissions'];
        expect(may(name, ACTIONS[verb], [PARTITION_KEYS[kind]], { attributes }), verb).toBe(false);
        // Beside something that it may write.
        for (const other of access[verb] ?? []) {
          const both = [PARTITION_KEYS[other], PARTITION_KEYS[kind]];
          expect(may(name, ACTIONS[verb], both, { attributes }), `${verb} with ${other}`).toBe(false);
        }
      }
    }
  });

  test('can write nothing that an index would list as an API key or an audit entry', () => {
    const written = partitions.filter(
      // From this kind, the audit takes only entries about endpoints: `readAudit`.
      (kind) =>
        kind !== 'ENDPOINT-AUDIT' && WRITES.some((verb) => may(name, ACTIONS[verb], [PARTITION_KEYS[kind]])),
    );
    for (const kind of written.filter((each) => !isOfNewWorld(name, 'put', each))) {
      for (const list of [
        keys.API_KEYS_PK,
        keys.merchantKeysPk('acme'),
        keys.AUDIT_PK,
        keys.merchantAuditPk('acme'),
      ]) {
        expect(keys.isListedIn(list, 'key_1', PARTITION_KEYS[kind]), `${kind} in ${list}`).toBe(false);
      }
    }
  });

  test('finds an API key only by the secret that it is sent, and only if it requires a key', () => {
    for (const kind of API_KEYS) {
      expect(may(name, 'BatchGetItem', [PARTITION_KEYS[kind]]), kind).toBe(keyed.includes(name));
    }
    for (const action of ['Query', 'GetItem']) {
      for (const kind of API_KEYS) {
        expect(may(name, action, [PARTITION_KEYS[kind]]), `${action} ${kind}`).toBe(false);
      }
    }
    for (const index of Object.keys(INDEXES)) {
      for (const key of [
        keys.API_KEYS_PK,
        keys.merchantKeysPk('acme'),
        keys.AUDIT_PK,
        ...API_KEYS.map((kind) => PARTITION_KEYS[kind]),
      ]) {
        expect(may(name, 'Query', [key], { index }), `${index} ${key}`).toBe(false);
      }
    }
  });

  test("if it requires a key, may write the key's last day of use, and reads nothing by that", () => {
    const attributes = [...LAST_USED_ATTRIBUTES];
    for (const kind of API_KEYS) {
      const note = (returned?: string, others: string[] = []) =>
        may(name, 'UpdateItem', [PARTITION_KEYS[kind]], { attributes: [...attributes, ...others], returned });
      expect(note()).toBe(keyed.includes(name));
      expect(note('NONE')).toBe(keyed.includes(name));
      expect(note('ALL_NEW')).toBe(false);
      for (const other of ['permissions', 'merchant', 'worldId', 'revokedAtMs', 'relatedPk']) {
        expect(note('NONE', [other]), other).toBe(false);
      }
    }
  });

  test('changes only the fields of a world in its row, never merchant, mode or provider', () => {
    const sets = (attribute: string) => {
      const attributes = ['pk', 'sk', 'endedEpoch', attribute];
      const [own, created] = (['WORLD', 'TEST-WORLD'] as const).map((kind) =>
        may(name, 'UpdateItem', [PARTITION_KEYS[kind]], { attributes }),
      );
      expect(created).toBe(own);
      return own;
    };
    const said: readonly string[] = access.updateWorld ?? [];
    for (const attribute of said) {
      expect(sets(attribute), attribute).toBe(true);
    }
    const others = [...NEVER_OF_A_WORLD, ...OF_A_WORLD, 'anything'].filter((one) => !said.includes(one));
    for (const attribute of others) {
      expect(sets(attribute), attribute).toBe(false);
    }
    for (const verb of ['put', 'delete', 'batchWrite'] as const) {
      expect(may(name, ACTIONS[verb], [PARTITION_KEYS.WORLD]), verb).toBe(false);
      const isCreating = CREATING_WORLDS.includes(name) && verb === 'put';
      expect(may(name, ACTIONS[verb], [PARTITION_KEYS['TEST-WORLD']]), verb).toBe(isCreating);
    }
  });

  test('can read nothing without naming a partition', () => {
    for (const action of WITHOUT_KEYS) {
      for (const index of [undefined, ...Object.keys(INDEXES)]) {
        expect(may(name, action, [], { index }), action).toBe(false);
      }
    }
  });
});

describe('a public function', () => {
  const open = rows.filter(({ row }) => row.permission === null).map(({ name }) => name);

  test.each(open)('%s changes what its own page or address is about, and nothing else', (name) => {
    const written = partitions.filter((kind) =>
      WRITES.some((verb) => may(name, ACTIONS[verb], [PARTITION_KEYS[kind]])),
    );
    expect(written.toSorted()).toEqual(WRITTEN_BY_ANYBODY[name] ?? []);
  });

  test.each(open)('%s deletes nothing but the claim of its own request', (name) => {
    const deleted = partitions.filter((kind) => may(name, 'DeleteItem', [PARTITION_KEYS[kind]]));
    expect(['', 'ONCE']).toContain(deleted.join());
  });

  test.each(open)('%s can list nothing', (name) => {
    const listing = statements.get(name)?.filter(({ Action }) => JSON.stringify(Action).includes('Query'));
    expect(listing).toEqual([]);
  });
});

test('only functions that change endpoints write their audit, and can only add entries', () => {
  const touching = (verbs: readonly (keyof typeof ACTIONS)[]) =>
    names.filter((name) =>
      verbs.some((verb) => may(name, ACTIONS[verb], [PARTITION_KEYS['ENDPOINT-AUDIT']])),
    );
  expect(touching(['put']).toSorted()).toEqual([
    'create-webhook-endpoint',
    'delete-webhook-endpoint',
    'rotate-webhook-secret',
    'update-webhook-endpoint',
  ]);
  expect(touching(['get', 'batchGet', 'query', 'update', 'delete', 'batchWrite'])).toEqual([]);
});

test('the policy evaluator of these tests fails on an unknown condition', () => {
  const request = { action: 'x', resource: 'y', context: {} };
  const statement = { Effect: 'Allow', Action: 'x', Resource: '*' };
  const conditions = [{ Null: { key: 'false' } }, { 'ForAllValues:ArnLike': { key: 'a' } }];
  for (const Condition of conditions) {
    expect(() => isAllowed([{ ...statement, Condition } as IamStatement], request, String)).toThrow(
      'is not understood',
    );
  }
  expect(() => isAllowed([{ ...statement, NotAction: 'z' } as IamStatement], request, String)).toThrow(
    'is not understood',
  );
});

interface RequestParts {
  readonly index?: string | undefined;
  readonly attributes?: readonly string[];
  readonly returned?: string | undefined;
}

/** Whether a function's role may do this to items of these partitions. */
function may(
  name: string,
  action: string,
  leadingKeys: readonly string[],
  { index, attributes = [], returned }: RequestParts = {},
): boolean {
  const request = {
    action: `dynamodb:${action}`,
    resource: index === undefined ? 'table' : `table/index/${index}`,
    context: {
      'dynamodb:LeadingKeys': leadingKeys,
      // Of an update, these are all that it names, and at least its key.
      'dynamodb:Attributes': attributes.length === 0 ? ['pk', 'sk', 'permissions'] : attributes,
      ...(returned !== undefined && { 'dynamodb:ReturnValues': [returned] }),
    },
  };
  return isAllowed(statements.get(name) ?? [], request, nameOf);
}

/** Every statement of a function's role: there are no other policies, as payment-stack.test.ts sees to. */
function statementsOf(each: PaymentFunction): IamStatement[] {
  const roleId = stack.getLogicalId(each.role?.node.defaultChild as CfnElement);
  const { Policies } = resourcesOf(template, 'AWS::IAM::Role')[roleId]?.Properties ?? {};
  return Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: IamStatement[] } }) => PolicyDocument.Statement,
  );
}

/** The table and its indexes by short names; anything else by its text in the template. */
function nameOf(resource: unknown): string {
  const text = JSON.stringify(resource);
  const table = JSON.stringify({ 'Fn::GetAtt': [tableId, 'Arn'] });
  if (text === table) {
    return 'table';
  }
  const [, index] = /"\/index\/(\w+)"/.exec(text) ?? [];
  return index !== undefined && text.includes(table) ? `table/index/${index}` : text;
}
