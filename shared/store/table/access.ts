import type { Change } from '../../domain/change.ts';
import { JOB_KINDS, type JobKind } from '../../domain/job.ts';
import { RESOURCE_NAMES, type ResourceName } from '../../domain/resource.ts';
import type { INDEX_PARTITIONS, PARTITIONS } from './keys.ts';
import { listBy, RESOURCE_ITEMS } from './resource-items.ts';

/*
 * What reads, changes, jobs and workers touch in the table. Rows of the contract name their reads and changes: infra
 * grants a function what these touch and nothing else, and the local host refuses the rest.
 */

/** The kinds of partitions that functions touch: not the audit of operators. */
type Partition = Exclude<keyof typeof PARTITIONS, 'AUDIT'>;
/**
 * No function writes a live API key or a merchant's own world: a put would set all attributes. Those that create worlds
 * write keys of test mode.
 */
type Writable = Exclude<Partition, 'KEY' | 'WORLD'>;
type Index = keyof typeof INDEX_PARTITIONS;
type IndexPartition = { [Name in Index]: keyof (typeof INDEX_PARTITIONS)[Name] }[Index];

/** The attributes of a world that functions change. Only the command line sets its owner, mode and provider. */
type WorldAttribute =
  | `${ResourceName}Count`
  | 'epoch'
  | 'clockOffsetMs'
  | 'clockVersion'
  | 'movedToMs'
  | 'eventBlock'
  | 'backloggedEndpoints'
  | 'backlogVersion'
  | 'expiresAtMs'
  | 'undeletedEpoch'
  | 'forkSource'
  | 'copiedAtMs'
  | 'duePk'
  | 'dueSk';

/** The access to kinds of partitions, by DynamoDB's operations. */
export interface StorageAccess {
  readonly get?: readonly Partition[];
  readonly batchGet?: readonly Partition[];
  readonly query?: readonly Partition[];
  /** Queries of an index. */
  readonly list?: readonly Exclude<IndexPartition, 'KEYS' | 'AUDIT'>[];
  readonly put?: readonly Writable[];
  readonly update?: readonly Writable[];
  /** Updates of worlds: of these attributes, and of no others. */
  readonly updateWorld?: readonly WorldAttribute[];
  readonly delete?: readonly Writable[];
  readonly batchWrite?: readonly Writable[];
}
type AccessTable<Name extends string = string> = Readonly<Record<Name, StorageAccess>>;

const OF_RESOURCES = RESOURCE_NAMES.map((name) => RESOURCE_ITEMS[name].partition);
const LISTS = OF_RESOURCES.map((partition) => `${partition}S` as const);
const COUNTERS = RESOURCE_NAMES.map((name) => `${name}Count` as const);

const WORLD_END_ATTRIBUTES = ['epoch', 'expiresAtMs', 'undeletedEpoch', 'dueSk'] as const;

/** The partitions that a purge finds without an index. */
const READ_WHOLE = [
  'OUTBOX',
  'EVENTS',
  'JOBS',
  'QUEUE',
  'ENDPOINTS',
  'DELIVERIES',
  'SETTLEMENT-DAYS',
  'BALANCES',
  'PROVIDER-EVENTS',
  'REQUESTS',
  'NEXT-RUN',
  'LEASE',
] as const;

/** The partitions that a fork copies without an index. */
const COPIED_WHOLE = [
  'EVENTS',
  'JOBS',
  'QUEUE',
  'ENDPOINTS',
  'DELIVERIES',
  'SETTLEMENT-DAYS',
  'BALANCES',
  'PROVIDER-EVENTS',
  'REQUESTS',
] as const;

/** A line for each kind of resource, under its name and the suffix. */
function ofResources<const Suffix extends string>(suffix: Suffix, of: (name: ResourceName) => StorageAccess) {
  const lines = RESOURCE_NAMES.map((name) => [`${name}${suffix}`, of(name)]);
  return Object.fromEntries(lines) as AccessTable<`${ResourceName}${Suffix}`>;
}

const READS = {
  ...ofResources('', (name) => ({ get: [RESOURCE_ITEMS[name].partition] })),
  /** A list of them. */
  ...ofResources('s', (name) => {
    const { partition } = RESOURCE_ITEMS[name];
    const by = [listBy(name)?.partition ?? []].flat();
    return { list: [`${partition}S`, ...by], batchGet: [partition] };
  }),
  /** Some of them, by their ids. */
  'payments-by-id': { batchGet: ['PAYMENT'] },
  /** A key and its world. */
  caller: { batchGet: ['KEY', 'TEST-KEY', 'WORLD', 'TEST-WORLD'], get: ['WORLD', 'TEST-WORLD'] },
  world: { get: ['WORLD', 'TEST-WORLD'] },
  'created-world': { get: ['TEST-WORLD'] },
  'created-worlds': { query: ['WORLD-SLOTS'], batchGet: ['TEST-WORLD'] },
  'world-slots': { query: ['WORLD-SLOTS'] },
  'endpoint-slots': { query: ['ENDPOINT-SLOTS'], batchGet: ['TEST-WORLD', 'ENDPOINTS'] },
  'clock-lease': { get: ['LEASE'] },
  'link-code': { get: ['CODE'] },
  'settlement-day': { get: ['SETTLEMENT-DAYS'] },
  balances: { query: ['BALANCES'] },
  'provider-event': { get: ['PROVIDER-EVENTS'] },
  'provider-address': { get: ['NOTIFICATIONS'] },
  events: { query: ['EVENTS'] },
  'events-of-resource': { list: ['RESOURCE-EVENTS'], batchGet: ['EVENTS'] },
  endpoint: { get: ['ENDPOINTS'] },
  endpoints: { query: ['ENDPOINTS'] },
  deliveries: { query: ['DELIVERIES'] },
  'delivered-events': { batchGet: ['EVENTS'] },
  sink: { get: ['SINK'] },
  sinks: { batchGet: ['SINK'] },
  requests: { query: ['REQUESTS'] },
  jobs: { query: ['JOBS'] },
  'parked-jobs': { list: ['FAILED'] },
  attempts: { query: ['QUEUE'] },
  'due-worlds': { list: ['DUE', 'LIVE-DUE'] },
} satisfies AccessTable;

/** Every kind of change, as `writes.ts` writes it, then what is written beside changes or by itself. */
const WRITES = {
  ...ofResources('', (name) => ({ put: [RESOURCE_ITEMS[name].partition, 'OUTBOX'] })),
  hold: { update: ['PAYMENT'] },
  release: { update: ['PAYMENT'] },
  'paid-back': { update: ['PAYMENT'] },
  balance: { update: ['BALANCES'] },
  'settle-day': { update: ['BALANCES'] },
  'link-use': { update: ['LINK'] },
  job: { put: ['JOBS'] },
  'provider-event': { put: ['PROVIDER-EVENTS'] },
  'provider-event-due': { update: ['PROVIDER-EVENTS'] },
  'payment-note': { put: ['PAYMENT'] },
  delivery: { put: ['DELIVERIES'] },
  endpoint: { put: ['ENDPOINTS'] },
  'endpoint-slot': { put: ['ENDPOINT-SLOTS'] },
  sink: { put: ['SINK'] },
  world: { put: ['TEST-WORLD', 'WORLD-SLOTS'] },
  'world-key': { put: ['TEST-KEY'] },
  'world-end': { updateWorld: WORLD_END_ATTRIBUTES, delete: ['WORLD-SLOTS'] },
  'move-end': { delete: ['MOVE'], updateWorld: ['clockVersion'] },
  'seed-end': { update: ['SEED'] },

  /** Takes a number, on condition that the clock was not moved. */
  ...ofResources('-number', (name) => ({ updateWorld: [`${name}Count`, 'clockVersion'] })),
  'link-code': { put: ['CODE'] },
  'settlement-day': { put: ['SETTLEMENT-DAYS'] },
  attempt: { put: ['QUEUE'] },
  backlog: { updateWorld: ['backloggedEndpoints', 'backlogVersion'] },
  'endpoint-event': { put: ['OUTBOX'] },
  'endpoint-audit': { put: ['ENDPOINT-AUDIT'] },
  'endpoint-end': { delete: ['ENDPOINTS'] },
  'endpoint-deletion': { query: ['QUEUE', 'DELIVERIES'], batchWrite: ['QUEUE', 'DELIVERIES'] },
  'ping-lease': { update: ['QUEUE'] },
  'sink-count': { update: ['SINK'] },
  'form-count': { update: ['POSTS'] },
  'request-log': { put: ['REQUESTS'] },
  claim: { put: ['CLAIM'], update: ['CLAIM'], delete: ['CLAIM'] },
  'clock-move': {
    get: ['MOVE'],
    query: ['MOVE-COUNTS'],
    put: ['MOVE'],
    update: ['MOVE-COUNTS', 'LEASE'],
    updateWorld: ['clockOffsetMs', 'clockVersion'],
  },
  'clock-move-end': { updateWorld: ['movedToMs'] },
  seed: {
    get: ['SEED', 'PAYMENT', 'REFUND', 'LINK', 'SETTLEMENT'],
    put: [...OF_RESOURCES, 'SEED', 'CODE', 'SETTLEMENT-DAYS', 'ENDPOINTS', 'SINK', 'JOBS'],
    update: ['BALANCES'],
    updateWorld: COUNTERS,
  },
  /** The items of the ended epoch are counted, and deleted by a job. */
  purge: {
    get: ['PURGE'],
    query: ['OUTBOX', 'EVENTS', 'JOBS', 'QUEUE', 'ENDPOINTS'],
    list: LISTS,
    put: ['PURGE', 'JOBS'],
    updateWorld: [...COUNTERS, 'epoch', 'clockOffsetMs', 'movedToMs', 'eventBlock', 'backloggedEndpoints'],
  },
  /** What is deleted of an ended epoch. What ends by its time to live is left to that. */
  'epoch-deletion': {
    query: READ_WHOLE,
    list: [...LISTS, 'UNLISTED'],
    batchWrite: [...READ_WHOLE, ...OF_RESOURCES, 'CODE', 'SINK', 'SEED', 'MOVE-COUNTS'],
  },
  /** What is deleted of a created world whose time is over. */
  'world-expiry': {
    get: ['TEST-WORLD'],
    query: ['ENDPOINTS', 'JOBS'],
    put: ['JOBS'],
    updateWorld: [...WORLD_END_ATTRIBUTES, 'duePk'],
  },
  /** Copies what another world holds, after what an earlier try has left was deleted (`epoch-deletion`). */
  fork: {
    get: ['WORLD', 'TEST-WORLD'],
    query: [...COPIED_WHOLE, 'OUTBOX'],
    list: [...LISTS, 'UNLISTED'],
    batchGet: [...OF_RESOURCES, 'CODE', 'SINK', 'SEED'],
    put: [...COPIED_WHOLE, ...OF_RESOURCES, 'CODE', 'SINK', 'SEED', 'NEXT-RUN'],
    updateWorld: [
      ...COUNTERS,
      ...([
        'clockOffsetMs',
        'clockVersion',
        'eventBlock',
        'backloggedEndpoints',
        'forkSource',
        'copiedAtMs',
      ] as const),
      ...(['epoch', 'expiresAtMs', 'dueSk'] as const),
    ],
  },
  'job-run': { query: ['JOBS'], put: ['JOBS', 'PARKED'], delete: ['JOBS'] },
  /** A job that takes long runs under a lease. */
  'job-lease': { get: ['JOBS'], update: ['JOBS'] },
  'attempt-run': {
    query: ['QUEUE'],
    put: ['QUEUE', 'PARKED'],
    delete: ['QUEUE'],
    get: ['QUEUE'],
    update: ['QUEUE'],
  },
  /** A slot for a runner that works on a queue of a merchant. */
  'runner-slot': { query: ['RUNNER-SLOTS'], update: ['RUNNER-SLOTS'] },
  'next-run': { query: ['JOBS', 'QUEUE'], put: ['NEXT-RUN'], delete: ['NEXT-RUN'] },
  dispatch: {
    query: ['OUTBOX', 'EVENTS', 'ENDPOINTS'],
    batchGet: ['EVENTS'],
    put: ['EVENTS', 'QUEUE', 'DELIVERIES'],
    update: ['OUTBOX'],
    updateWorld: ['eventBlock'],
    delete: ['OUTBOX'],
    batchWrite: ['OUTBOX', 'JOBS', 'QUEUE'],
  },
} satisfies AccessTable<KindOf<Change>> & AccessTable;
type KindOf<Each> = Each extends { readonly kind: infer Kind extends string } ? Kind : never;

/** Commands that write several of these. */
const COMMANDS = {
  'payment.create': ['payment', 'payment-number', 'job'],
  'payment.end': ['payment', 'paymentLink', 'link-use', 'balance', 'job', 'provider-event'],
  'refund.request': ['refund', 'refund-number', 'hold', 'job'],
  'refund.end': ['refund', 'release', 'paid-back', 'balance', 'job', 'provider-event'],
  'paymentLink.create': ['paymentLink', 'paymentLink-number', 'link-code'],
  'settlement.create': ['settlement', 'settlement-number', 'settlement-day', 'settle-day'],
  'endpoint.change': ['endpoint', 'endpoint-event', 'endpoint-audit'],
  'endpoint.delete': ['endpoint-end', 'endpoint-event', 'endpoint-audit', 'job'],
  /** What attempts change in an endpoint. */
  'endpoint.note': ['endpoint', 'endpoint-event'],
  'jobs.run': ['job-run', 'job-lease', 'attempt-run', 'next-run', 'clock-move-end', 'dispatch'],
} satisfies Readonly<Record<string, readonly (keyof typeof WRITES)[]>>;

/** What a function does, by names of these tables. */
export interface NamedAccess {
  readonly reads?: readonly (keyof typeof READS)[];
  readonly changes?: readonly (keyof typeof WRITES | keyof typeof COMMANDS)[];
  /** The kinds of jobs that it runs. */
  readonly jobs?: readonly JobKind[];
}

/** A kind of job that is missing here does not compile. */
const JOBS: { readonly [Kind in JobKind]: NamedAccess } = {
  'expire-payment': {
    reads: ['payment', 'payments-by-id', 'paymentLink', 'provider-event'],
    changes: ['payment.end'],
  },
  'look-up-payment': { reads: ['payment', 'paymentLink', 'provider-event'], changes: ['payment.end'] },
  'stop-attempt': { reads: ['payment'], changes: ['job'] },
  'approve-refund': { reads: ['refund'], changes: ['refund.end'] },
  'send-refund': { reads: ['refund', 'payment'], changes: ['refund.end'] },
  'look-up-refund': { reads: ['refund', 'payment'], changes: ['refund.end'] },
  'apply-simulation': {
    reads: ['payment', 'paymentLink', 'refund'],
    changes: ['payment.end', 'refund.end', 'provider-event-due'],
  },
  'deliver-event': {
    reads: ['world', 'events', 'endpoints', 'endpoint'],
    changes: ['delivery', 'endpoint.note', 'attempt', 'backlog'],
  },
  'recover-events': { reads: ['events', 'endpoints'], changes: ['attempt', 'endpoint', 'job'] },
  'delete-endpoint': { reads: ['world'], changes: ['endpoint-deletion', 'backlog', 'job'] },
  'delete-epoch': { changes: ['epoch-deletion', 'job'] },
};
/** A live world has no test kit, and the deliverer makes its attempts. */
const NOT_LIVE: readonly JobKind[] = ['apply-simulation', 'delete-epoch', 'deliver-event'];

/** The functions without an operation that touch the table, by their files in `functions/`. */
export const WORKERS: Readonly<Record<string, NamedAccess>> = {
  'workers/clock-tick': { reads: ['due-worlds'] },
  'workers/job-runner': {
    reads: ['clock-lease'],
    changes: ['jobs.run', 'world-expiry', 'fork'],
    jobs: JOB_KINDS,
  },
  'workers/live-job-runner': {
    changes: ['job-run'],
    jobs: JOB_KINDS.filter((kind) => !NOT_LIVE.includes(kind)),
  },
  'workers/deliverer': {
    reads: ['clock-lease'],
    changes: ['attempt-run', 'runner-slot', 'next-run'],
    jobs: ['deliver-event'],
  },
  'rollout/smoke': { reads: ['world'], changes: ['purge'] },
};

/** Everything that a function may touch. */
export function accessOf({ reads = [], changes = [], jobs = [] }: NamedAccess): StorageAccess {
  const writes = changes.flatMap(
    (name) => (COMMANDS as Readonly<Record<string, readonly string[]>>)[name] ?? [name],
  );
  const all = [
    ...reads.map((name): StorageAccess => READS[name]),
    ...writes.map((name) => (WRITES as AccessTable)[name] ?? {}),
    ...jobs.map((kind) => accessOf(JOBS[kind])),
  ].flatMap(Object.entries);
  const access = [...Map.groupBy(all, ([action]) => action)].map(([action, touched]) => [
    action,
    [...new Set(touched.flatMap(([, partitions]) => partitions))],
  ]);
  return Object.fromEntries(access);
}
