import path from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { type AccessFields, roleOf } from '../../../infra/aws/grants.ts';
import { functionNameOf } from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { newId } from '../../../shared/domain/id.ts';
import { RESOURCE_NAMES, type ResourceName } from '../../../shared/domain/resource.ts';
import * as keys from '../../../shared/store/table/keys.ts';
import { type ByPartition, listBy, RESOURCE_ITEMS } from '../../../shared/store/table/resource-items.ts';
import { INDEXES, type IndexName, LAST_USED_ATTRIBUTES } from '../../../shared/store/table/table.ts';
import { functionFiles } from '../../support/tools/bundle.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { textOf } from './describe-template.ts';
import { type IamStatement, isAllowed } from './iam.ts';
import { synthesized } from './synthesized.ts';

/*
 * What each role may do, judged as IAM would by its policy in the template.
 */

const HASH = 'ab'.repeat(32);
const WORLD = { id: '0123456789abcdef', epoch: 7, mode: 'test' as const, clockOffsetMs: 0 };
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
  'ENDPOINT-SLOTS': keys.endpointSlotsPk('acme'),
  ...keysOf(({ partition }, name) => [partition, keys.keyOf(name, WORLD, 'x').pk]),
  CODE: keys.linkCodeKey('ABCDEFGHJK').pk,
  POSTS: keys.linkPostsKey(WORLD, 'lnk_1', 1).pk,
  'SETTLEMENT-DAYS': keys.settlementDayKey(WORLD, 'sim_provider', '2026-11-21').pk,
  BALANCES: keys.balanceKey(WORLD, '2026-11-21', 0).pk,
  OUTBOX: keys.outboxKey(WORLD, PAYMENT_ID, 1).pk,
  EVENTS: keys.eventsKey(WORLD, 1).pk,
  REQUESTS: keys.requestKey(WORLD, 'req_1').pk,
  'PROVIDER-EVENTS': keys.providerEventKey(WORLD, 'pev_1').pk,
  ENDPOINTS: keys.endpointsPk(WORLD),
  SINK: keys.sinkKey('token').pk,
  NOTIFICATIONS: keys.notificationsKey('token').pk,
  DELIVERIES: keys.deliveryKey(WORLD, 'snk_1', newId('dlv', 1)).pk,
  CLAIM: keys.claimKey(WORLD, HASH).pk,
  'NEXT-RUN': keys.nextRunKey(WORLD).pk,
  SEED: keys.seedKey(WORLD, 'small').pk,
  PARKED: keys.PARKED_PK,
  MOVE: keys.moveKey(WORLD.id, 'key').pk,
  'MOVE-COUNTS': keys.moveCountsPk(WORLD, 'key'),
  JOBS: keys.jobPkOf(WORLD, PAYMENT_ID),
  QUEUE: keys.queuePk(WORLD, 'snk_1'),
  'RUNNER-SLOTS': keys.runnerSlotsPk({ mode: 'test', merchant: 'acme' }),
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
    'RESOURCE-EVENTS': keys.resourceEventsPk(WORLD, PAYMENT_ID),
    KEYS: keys.apiKeyIndexes('acme', 'key_1').relatedPk,
    AUDIT: keys.auditIndexes('acme', 'aud_1').relatedPk,
    FAILED: keys.failedPk(WORLD),
    UNLISTED: keys.unlistedIndex(WORLD, 'act_1').relatedPk,
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
type Verb = keyof typeof ACTIONS;
const VERBS = Object.keys(ACTIONS) as Verb[];
const WRITES = ['put', 'update', 'delete', 'batchWrite'] as const;
/** What names no partition key, or leaves it to a statement in a text. */
const WITHOUT_KEYS = ['Scan', 'PartiQLSelect', 'PartiQLInsert', 'PartiQLUpdate', 'PartiQLDelete'];
/** Every attribute that a world has, and one that none has. */
const OF_A_WORLD = [
  ...RESOURCE_NAMES.map((resource) => `${resource}Count`),
  ...[
    'epoch',
    'clockOffsetMs',
    'clockVersion',
    'movedToMs',
    'eventBlock',
    'backloggedEndpoints',
    'backlogVersion',
  ],
  ...['expiresAtMs', 'undeletedEpoch', 'forkSource', 'copiedAtMs', 'duePk', 'dueSk'],
  ...['id', 'created', 'merchant', 'mode', 'provider', 'displayName', 'logoUrl', 'keyCount', 'anything'],
];
/** What an operator alone sets of a world, by the command line. */
const OPERATORS = ['id', 'created', 'merchant', 'mode', 'provider', 'displayName', 'logoUrl', 'keyCount'];

const { template, functionIds } = synthesized({ isProduction: true });
const [tableId = ''] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table'));
const allRoles = resourcesOf(template, 'AWS::IAM::Role');
/** They have no access to the table: canary.test.ts. */
const checks = [...functionIds.keys()].filter((name) => name.startsWith('check-'));
const members = Map.groupBy(
  [...functionIds.keys()].filter((name) => !checks.includes(name)),
  (name) => roleIdOf(name),
);
const roles = [...members].map(([id, names]) => ({ id, names, statements: statementsOf(id) }));
type Role = (typeof roles)[number];
const rows = allOperations.map((row) => ({ row, name: functionNameOf(row) }));
const rowsOf = ({ names }: Role) => rows.filter(({ name }) => names.includes(name)).map(({ row }) => row);
const isKeyed = (role: Role) => rowsOf(role).some(({ permission }) => permission !== null);
const partitions = Object.keys(PARTITION_KEYS) as (keyof typeof PARTITION_KEYS)[];

/** The functions of the roles that a condition holds of. */
const whose = (holds: (role: Role) => boolean) =>
  roles
    .filter(holds)
    .flatMap(({ names }) => names)
    .toSorted();

/** Each role by its functions, with the kinds of partitions and attributes that it may touch. */
function describeRole(role: Role): string[] {
  const touched = VERBS.map((verb) => [
    verb,
    partitions.filter((kind) => may(role, verb, [PARTITION_KEYS[kind]])),
  ]);
  const listed = Object.entries(INDEX_KEYS).map(([index, kinds]) => [
    `list ${index}`,
    Object.entries(kinds).flatMap(([kind, key]) => (may(role, 'query', [key], { index }) ? kind : [])),
  ]);
  const ofWorlds = OF_A_WORLD.filter((attribute) => maySet(role, 'WORLD', attribute));
  return [
    role.names.toSorted().join(' '),
    ...[...touched, ...listed, ['update of worlds', ofWorlds]]
      .filter(([, kinds = []]) => kinds.length > 0)
      .map(([what, kinds]) => `  ${what}: ${[kinds].flat().join(' ')}`),
  ];
}

test('a key of each kind of partition is of that kind and of no other', () => {
  for (const kind of partitions) {
    const request = { action: 'x', resource: 'y', context: { key: [PARTITION_KEYS[kind]] } };
    const kinds = Object.entries(keys.PARTITIONS).filter(([, pattern]) => {
      const Condition = { StringLike: { key: pattern } };
      return isAllowed([{ Effect: 'Allow', Action: 'x', Resource: '*', Condition }], request, String);
    });
    expect(kinds.map(([name]) => name)).toEqual([kind]);
  }
});

test('production has at most 19 roles of functions, and these may do what the snapshot says', {
  tags: 'slow',
}, () => {
  expect(roles.length).toBeLessThanOrEqual(19);
  // Beside them are the gateway's, and in production the two of CodeDeploy.
  expect(Object.keys(allRoles)).toHaveLength(roles.length + checks.length + 3);
  expect(roles.map(describeRole)).toMatchSnapshot();
});

test('a public operation that changes what no role of the public does is refused', () => {
  const row: AccessFields = { permission: null, mode: 'any', idempotent: false, changes: ['refund'] };
  expect(() => roleOf(row)).toThrow('No role fits a public operation that changes refund');
});

test('no role makes, changes, ends or deletes an API key, or writes into the audit of operators', {
  tags: 'slow',
}, () => {
  for (const role of roles) {
    for (const kind of ['KEY', 'AUDIT'] as const) {
      for (const verb of WRITES) {
        expect(may(role, verb, [PARTITION_KEYS[kind]]), `${role.id} ${verb}`).toBe(false);
        // Beside something that it may write.
        for (const other of partitions.filter((each) => may(role, verb, [PARTITION_KEYS[each]]))) {
          expect(may(role, verb, [PARTITION_KEYS[other], PARTITION_KEYS[kind]]), `${role.id} ${verb}`).toBe(
            false,
          );
        }
      }
    }
  }
});

test('only the two functions that create worlds make API keys, and of test mode alone', () => {
  const writing = (verb: Verb) => whose((role) => may(role, verb, [PARTITION_KEYS['TEST-KEY']]));
  expect(writing('put')).toEqual(['create-test-world', 'fork-test-world']);
  expect((['update', 'delete', 'batchWrite'] as const).flatMap(writing)).toEqual([]);
});

test("a role with keyed functions may write a key's last day of use, and reads nothing", () => {
  for (const role of roles) {
    for (const kind of ['KEY', 'TEST-KEY'] as const) {
      const note = (returned?: string, others: string[] = []) =>
        may(role, 'update', [PARTITION_KEYS[kind]], {
          attributes: [...LAST_USED_ATTRIBUTES, ...others],
          returned,
        });
      expect([note(), note('NONE'), note('ALL_NEW')], role.id).toEqual([isKeyed(role), isKeyed(role), false]);
      for (const other of ['permissions', 'merchant', 'worldId', 'revokedAtMs', 'relatedPk']) {
        expect(note('NONE', [other]), `${role.id} ${other}`).toBe(false);
      }
    }
  }
});

test('only a role with keyed functions finds an API key, by the secret alone', () => {
  for (const role of roles) {
    for (const kind of ['KEY', 'TEST-KEY'] as const) {
      const finding = (['batchGet', 'get', 'query'] as const).map((verb) =>
        may(role, verb, [PARTITION_KEYS[kind]]),
      );
      expect(finding, role.id).toEqual([isKeyed(role), false, false]);
    }
    for (const index of Object.keys(INDEXES)) {
      const lists = [keys.API_KEYS_PK, keys.merchantKeysPk('acme'), keys.AUDIT_PK, PARTITION_KEYS.KEY];
      expect(
        lists.filter((key) => may(role, 'query', [key], { index })),
        role.id,
      ).toEqual([]);
    }
  }
});

test('no role can write what an index would list as an API key or an audit entry', () => {
  const lists = [keys.API_KEYS_PK, keys.merchantKeysPk('acme'), keys.AUDIT_PK, keys.merchantAuditPk('acme')];
  const written = partitions.filter((kind) =>
    roles.some((role) => WRITES.some((verb) => may(role, verb, [PARTITION_KEYS[kind]]))),
  );
  const listed = written.filter((kind) =>
    lists.some((list) => keys.isListedIn(list, 'key_1', PARTITION_KEYS[kind])),
  );
  // Keys of created worlds, and what the audit takes only as entries about endpoints: `readAudit`.
  expect(listed.toSorted()).toEqual(['ENDPOINT-AUDIT', 'TEST-KEY']);
});

test('only functions that change endpoints write their audit, and can only add entries', () => {
  const touching = (verb: Verb) => whose((role) => may(role, verb, [PARTITION_KEYS['ENDPOINT-AUDIT']]));
  expect(touching('put')).toEqual([
    'create-webhook-endpoint',
    'delete-webhook-endpoint',
    'rotate-webhook-secret',
    'update-webhook-endpoint',
  ]);
  expect(VERBS.filter((verb) => verb !== 'put').flatMap(touching)).toEqual([]);
});

test("no role changes a world's owner, mode or provider, or puts a world of a merchant's own", () => {
  for (const role of roles) {
    for (const kind of ['WORLD', 'TEST-WORLD'] as const) {
      expect(
        [...OPERATORS, 'anything'].filter((attribute) => maySet(role, kind, attribute)),
        role.id,
      ).toEqual([]);
      const written = (['put', 'delete', 'batchWrite'] as const).filter((verb) =>
        may(role, verb, [PARTITION_KEYS[kind]]),
      );
      const isCreating = kind === 'TEST-WORLD' && role.names.includes('create-test-world');
      expect(written, role.id).toEqual(isCreating ? ['put'] : []);
    }
    // What it may set of one kind of world, it may set of the other.
    expect(OF_A_WORLD.filter((each) => maySet(role, 'TEST-WORLD', each))).toEqual(
      OF_A_WORLD.filter((each) => maySet(role, 'WORLD', each)),
    );
  }
});

test('no role reads anything without naming a partition', () => {
  for (const role of roles) {
    for (const action of WITHOUT_KEYS) {
      for (const index of [undefined, ...Object.keys(INDEXES)]) {
        expect(allows(role, action, [], { index }), `${role.id} ${action}`).toBe(false);
      }
    }
  }
});

test('public functions share no role with keyed ones, and change what they are about', () => {
  const open = roles.filter((role) => rowsOf(role).length > 0 && !isKeyed(role));
  const writtenBy = open.map((role) => {
    expect(
      rowsOf(role).filter(({ permission }) => permission !== null),
      role.id,
    ).toEqual([]);
    expect(JSON.stringify(role.statements)).not.toContain('Query');
    const deleted = partitions.filter((kind) => may(role, 'delete', [PARTITION_KEYS[kind]]));
    expect(['', 'CLAIM']).toContain(deleted.join());
    const written = partitions.filter((kind) =>
      WRITES.some((verb) => may(role, verb, [PARTITION_KEYS[kind]])),
    );
    return [role.names.toSorted().join(' '), written.toSorted().join(' ')] as const;
  });
  expect(Object.fromEntries(writtenBy.filter(([, written]) => written !== ''))).toEqual({
    'receive-at-sink': 'SINK',
    'receive-notification': 'BALANCES JOBS LINK OUTBOX PAYMENT PROVIDER-EVENTS REFUND',
    'act-on-checkout pay-by-link': 'BALANCES CLAIM JOBS LINK OUTBOX PAYMENT POSTS PROVIDER-EVENTS',
  });
  expect(open.flatMap(({ names }) => names)).toContain('answer-unknown-route');
});

test('functions for live worlds share no role with what creates or moves test worlds', () => {
  const moving = roles.filter(({ names }) =>
    ['create-test-world', 'advance-clock', 'simulate-payment'].some((name) => names.includes(name)),
  );
  expect(moving).toHaveLength(3);
  expect(moving.flatMap(rowsOf).flatMap(({ id, mode }) => (mode === 'test' ? [] : id))).toEqual([]);
  const names = moving.flatMap((role) => role.names);
  expect(names).toHaveLength(moving.flatMap(rowsOf).length);
});

test('secrets of providers are read by six functions, and none of them posts to receivers', {
  tags: 'slow',
}, async () => {
  const reading = (role: Role) =>
    role.statements.some(
      ({ Action, Resource }) =>
        /secretsmanager/.test(String(Action)) && JSON.stringify(Resource).includes('/providers/*'),
    );
  expect(whose(reading)).toEqual([
    ...[
      'act-on-checkout',
      'cancel-payment',
      'create-payment',
      'live-job-runner',
      'pay-by-link',
      'receive-notification',
    ],
  ]);
  // It alone of them has the code that posts, since it runs the same kinds of jobs: it may run no attempt.
  const [runner] = roles.filter(({ names }) => names.includes('live-job-runner'));
  expect(
    runner &&
      (['get', 'update', 'delete'] as const).filter((verb) => may(runner, verb, [PARTITION_KEYS.QUEUE])),
  ).toEqual([]);
  expect(runner && may(runner, 'put', [PARTITION_KEYS.DELIVERIES])).toBe(false);
  const posting = await namesOfPosting();
  expect(posting).toEqual(['advance-clock', 'deliverer', 'job-runner', 'live-job-runner', 'send-test-event']);
  expect(posting.filter((name) => whose(reading).includes(name))).toEqual(['live-job-runner']);
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

/** Whether a role may do this to items of these partitions. */
function may(role: Role, verb: Verb, leadingKeys: readonly string[], parts?: RequestParts): boolean {
  return allows(role, ACTIONS[verb], leadingKeys, parts);
}

function maySet(role: Role, kind: 'WORLD' | 'TEST-WORLD', attribute: string): boolean {
  return may(role, 'update', [PARTITION_KEYS[kind]], { attributes: ['pk', 'sk', 'endedEpoch', attribute] });
}

function allows(
  { statements }: Role,
  action: string,
  leadingKeys: readonly string[],
  { index, attributes = ['pk', 'sk', 'permissions'], returned }: RequestParts = {},
): boolean {
  const request = {
    action: `dynamodb:${action}`,
    resource: index === undefined ? 'table' : `table/index/${index}`,
    context: {
      'dynamodb:LeadingKeys': leadingKeys,
      // An update names all of these, and at least its key.
      'dynamodb:Attributes': attributes,
      ...(returned !== undefined && { 'dynamodb:ReturnValues': [returned] }),
    },
  };
  return isAllowed(statements, request, String);
}

function roleIdOf(name: string): string {
  const { Role } =
    resourcesOf(template, 'AWS::Lambda::Function')[functionIds.get(name) ?? '']?.Properties ?? {};
  return Role['Fn::GetAtt'][0];
}

/**
 * Every statement of a role, with the table and its indexes by short names: there are no other policies, as
 * roles.test.ts sees to.
 */
function statementsOf(roleId: string): IamStatement[] {
  const { Policies } = allRoles[roleId]?.Properties ?? {};
  const statements: IamStatement[] = Policies.flatMap(
    ({ PolicyDocument }: { PolicyDocument: { Statement: IamStatement[] } }) => PolicyDocument.Statement,
  );
  return statements.map((statement) => ({
    ...statement,
    Resource: [statement.Resource]
      .flat()
      .map((resource) => textOf(resource).replace(`<${tableId}.Arn>`, 'table')),
  }));
}

/** The functions that have the code that posts to receivers. */
async function namesOfPosting(): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: functionFiles,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outdir: 'bundled',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)
    .filter(({ inputs }) => 'shared/webhooks/poster.ts' in inputs)
    .map(({ entryPoint = '' }) => path.basename(entryPoint, '.ts'))
    .toSorted();
}
