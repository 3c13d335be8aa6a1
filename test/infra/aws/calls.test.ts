import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { storageOf, talksToProvider } from '../../../infra/aws/grants.ts';
import { functionNameOf } from '../../../shared/contract/operation.ts';
import { allOperations } from '../../../shared/contract/operations.ts';
import { JOB_KINDS } from '../../../shared/domain/job.ts';
import { RESOURCE_NAMES } from '../../../shared/domain/resource.ts';
import { RESOURCE_ITEMS } from '../../../shared/store/table/resource-items.ts';
import { type Act, type Hints, reach, readCode } from './calls.ts';

const STORE = 'shared/store';
const COUNTERS = RESOURCE_NAMES.map((name) => `${name}Count`);
const LISTS = RESOURCE_NAMES.map((name) => `${RESOURCE_ITEMS[name].partition}S`);
const RESOURCE_PARTITIONS = RESOURCE_NAMES.map((name) => RESOURCE_ITEMS[name].partition);
const JOBS_BUT_DELIVERIES = JOB_KINDS.filter((kind) => kind !== 'deliver-event').join('|');

const COPIED_WHOLE = [
  ...['EVENTS', 'JOBS', 'QUEUE', 'ENDPOINTS', 'DELIVERIES', 'SETTLED', 'BALANCES', 'PROVIDER-EVENTS'],
  'REQUESTS',
];

const HINTS: Hints = {
  kinds: {
    // Powertools' layer passes claims along as items of any key.
    [`${STORE}/requests/claim.ts updateHeld update`]: ['ONCE'],
    [`${STORE}/requests/claim.ts Claim._deleteRecord delete`]: ['ONCE'],
    [`${STORE}/requests/claim.ts putClaim put`]: ['ONCE'],
    [`${STORE}/requests/claim.ts Claim.firstStep put`]: ['ONCE'],
    [`${STORE}/events/outbox.ts noteFinished update`]: ['OUTBOX'],
    // What an index lists.
    [`${STORE}/events/event-log.ts readOfResource batchGet`]: ['EVENTS'],
    // Of a world, the attributes that are changed.
    [`${STORE}/worlds/backlog.ts markBacklogged update`]: ['behind', 'behindVersion'],
    [`${STORE}/worlds/backlog.ts clearBacklog update`]: ['behind', 'behindVersion'],
    [`${STORE}/events/event-log.ts noteEventBlock update`]: ['eventBlock'],
    [`${STORE}/worlds/world.ts takeNumbers update`]: COUNTERS,
    [`${STORE}/testkit/advance.ts moveClock update`]: ['clockOffsetMs', 'clockVersion', 'movedToMs'],
    [`${STORE}/testkit/advance.ts endAdvance update`]: ['clockVersion'],
    [`${STORE}/money/settled-payment.ts endMove update`]: ['movedToMs'],
    [`${STORE}/testkit/created-worlds.ts endCreatedWorld update`]: [
      ...['epoch', 'restEpoch', 'expiresAtMs', 'dueSk'],
    ],
    [`${STORE}/testkit/created-worlds.ts noteDeletion update`]: ['restEpoch', 'duePk', 'dueSk'],
    [`${STORE}/testkit/purge.ts endEpoch update`]: [
      ...['epoch', 'clockOffsetMs', 'movedToMs', 'eventBlock', 'behind'],
      ...COUNTERS,
    ],
    // What a fork copies, and the attributes of its world.
    [`${STORE}/testkit/fork.ts beginCopy update`]: [
      ...COUNTERS,
      ...['epoch', 'clockOffsetMs', 'clockVersion', 'eventBlock', 'forkSource', 'copiedAtMs', 'dueSk'],
    ],
    [`${STORE}/testkit/fork.ts noteCopy update`]: ['forkSource', 'copiedAtMs', 'epoch'],
    [`${STORE}/testkit/fork.ts openFork update`]: ['dueSk', 'behind', 'forkSource', 'copiedAtMs', 'epoch'],
    [`${STORE}/testkit/fork.ts giveUpFork update`]: ['expiresAtMs', 'forkSource'],
    [`${STORE}/testkit/fork.ts wholeOf query`]: COPIED_WHOLE,
    [`${STORE}/testkit/fork.ts listedIn list`]: [...LISTS, 'REST'],
    [`${STORE}/testkit/fork.ts listedIn batchGet`]: [...RESOURCE_PARTITIONS, 'CODE', 'TOKEN', 'SEED'],
    [`${STORE}/testkit/fork.ts insertCopies put`]: [
      ...COPIED_WHOLE,
      ...RESOURCE_PARTITIONS,
      ...['CODE', 'TOKEN', 'SEED'],
    ],
    // Everything in an epoch, except what expires by itself.
    [`${STORE}/testkit/purge.ts deleteSomeOf batchWrite`]: [
      ...RESOURCE_PARTITIONS,
      ...['OUTBOX', 'EVENTS', 'CODE', 'SETTLED', 'BALANCES', 'PROVIDER-EVENTS', 'ENDPOINTS', 'TOKEN'],
      ...['DELIVERIES', 'REQUESTS', 'WAKE', 'SEED', 'ADVANCE', 'JOBS', 'QUEUE', 'LEASE'],
    ],
    // Writes that callers pass in: the first of each chunk, and those that exceed a transaction.
    [`${STORE}/testkit/seed.ts isWritten get`]: ['PAYMENT', 'REFUND', 'LINK', 'SETTLEMENT'],
    'shared/flows/dispatch/attempt-settler.ts AttemptSettler.#settleAll put': ['DELIVERIES'],
    'shared/flows/testkit/advance.ts withLease update': ['LEASE'],
  },
  byMade: {
    [`${STORE}/writes.ts entityWrites put`]: {
      ...Object.fromEntries(
        RESOURCE_NAMES.map((name) => [`^resource ${name}$`, [RESOURCE_ITEMS[name].partition]]),
      ),
      '^resource paymentLink$': ['LINK', 'CODE'],
      '^resource settlement$': ['SETTLEMENT', 'SETTLED'],
    },
    [`${STORE}/scheduler/job.ts insertJob put`]: {
      '^kind deliver-event$': ['QUEUE'],
      [`^kind (${JOBS_BUT_DELIVERIES})$`]: ['JOBS'],
    },
  },
  needs: {
    [`${STORE}/writes.ts resourceWrites`]: /^resource /,
    [`${STORE}/writes.ts endpointEvent`]: /^kind endpoint$/,
  },
};

/** The code that calls the provider of a live world. */
const CALLING_PROVIDERS = ['shared/flows/provider-for.ts liveProviderOf'];

/** Code that a function names and does not run. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  // It has no partitions of jobs: it only runs attempts to deliver.
  'workers/deliverer': JOB_KINDS.filter((kind) => kind !== 'deliver-event').map(
    (kind) => `shared/flows/jobs/run-job.ts RUNS.${kind}`,
  ),
  // Live worlds have no test kit, and deliveries wait in other partitions.
  'workers/live-job-runner': ['apply-simulation', 'delete-epoch', 'deliver-event'].map(
    (kind) => `shared/flows/jobs/run-job.ts RUNS.${kind}`,
  ),
  // It leaves the jobs of live worlds to others.
  'workers/job-runner': CALLING_PROVIDERS,
  // Of test mode alone.
  'advance-clock': CALLING_PROVIDERS,
  'simulate-payment': CALLING_PROVIDERS,
};

const CODE_STAYS = 'An existing link keeps its public code, which was written when it was created.';
const NOTHING_ENDS = 'Only its own operation deletes an endpoint.';
const NO_OTHER_EVENTS = 'Of endpoints, only changes by attempts publish events here.';
const BY_NO_KEY = 'No key changed the endpoint: attempts did, or the test kit.';
const NOT_CHOSEN = 'In live mode only the form of a page chooses a method, and the page counts that.';
const NOT_PAID = 'It creates or ends payments that are not paid, so nothing is added to a balance.';
const SEEDED_IN_MEMORY = 'A seed simulates its history in memory, and writes only the result.';
const AS_OF_NOW = 'It reads the payment as it is now, and writes only the refund.';
const DISPATCHES_NOTHING = 'It dispatches nothing, so it holds no entry.';
const NO_ATTEMPTS = 'It runs jobs. Queued attempts have the same type.';
const NOTHING_LONG = 'No job of a live world takes long enough to be held.';
const NO_JOBS = 'It runs queued attempts. Jobs have the same type.';

/**
 * What the code names for a function, and its data never leads to. Each line is of use: one that is not is an error, as
 * what is not in it.
 */
const NOT_DONE: Readonly<Record<string, Readonly<Record<Act, string>>>> = {
  'act-on-checkout': { 'put CODE': CODE_STAYS },
  'advance-clock': {
    'put ENDPOINT-AUDIT': BY_NO_KEY,
    'put CODE': CODE_STAYS,
    'update POSTS': NOT_CHOSEN,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'cancel-payment': { 'put CODE': CODE_STAYS, 'update POSTS': NOT_CHOSEN },
  'cancel-refund': { 'put JOBS': 'A canceled refund has no next job.', 'update BALANCES': NOT_PAID },
  'create-payment': { 'update LINK': 'It is of no link.', 'update BALANCES': NOT_PAID },
  'create-webhook-endpoint': { 'delete ENDPOINTS': NOTHING_ENDS },
  'create-webhook-sink': {
    'put OUTBOX': NO_OTHER_EVENTS,
    'put ENDPOINT-AUDIT': BY_NO_KEY,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'delete-webhook-endpoint': { 'put ENDPOINTS': 'It deletes and writes none.' },
  'disable-payment-link': { 'put CODE': CODE_STAYS },
  'pay-by-link': { 'update BALANCES': NOT_PAID },
  'receive-notice': {
    'put CODE': CODE_STAYS,
    'update POSTS': NOT_CHOSEN,
  },
  'recover-events': {
    'query JOBS': NO_JOBS,
    'put OUTBOX': NO_OTHER_EVENTS,
    'put ENDPOINT-AUDIT': BY_NO_KEY,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'create-test-world': {
    'put OUTBOX': SEEDED_IN_MEMORY,
    'update LINK': SEEDED_IN_MEMORY,
    'update PAYMENT': SEEDED_IN_MEMORY,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'request-refund': { 'put PAYMENT': AS_OF_NOW, 'update LINK': AS_OF_NOW, 'update BALANCES': NOT_PAID },
  'rotate-webhook-secret': { 'delete ENDPOINTS': NOTHING_ENDS },
  'seed-test-data': {
    'put OUTBOX': SEEDED_IN_MEMORY,
    'update LINK': SEEDED_IN_MEMORY,
    'update PAYMENT': SEEDED_IN_MEMORY,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'send-test-event': { 'put ENDPOINT-AUDIT': BY_NO_KEY, 'delete ENDPOINTS': NOTHING_ENDS },
  'simulate-payment': { 'put CODE': CODE_STAYS, 'update POSTS': NOT_CHOSEN },
  'update-webhook-endpoint': { 'delete ENDPOINTS': NOTHING_ENDS },
  'workers/deliverer': {
    'get JOBS': NO_JOBS,
    'put JOBS': NO_JOBS,
    'update JOBS': NO_JOBS,
    'delete JOBS': NO_JOBS,
    'put ENDPOINT-AUDIT': BY_NO_KEY,
    'update OUTBOX': DISPATCHES_NOTHING,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'workers/live-job-runner': {
    'get JOBS': NOTHING_LONG,
    'update JOBS': NOTHING_LONG,
    'get QUEUE': NO_ATTEMPTS,
    'update QUEUE': NO_ATTEMPTS,
    'delete QUEUE': NO_ATTEMPTS,
    'update OUTBOX': DISPATCHES_NOTHING,
    'put ENDPOINT-AUDIT': BY_NO_KEY,
    'put CODE': CODE_STAYS,
    'update POSTS': NOT_CHOSEN,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
  'workers/job-runner': {
    'put ENDPOINT-AUDIT': BY_NO_KEY,
    'update POSTS': NOT_CHOSEN,
    'delete ENDPOINTS': NOTHING_ENDS,
  },
};

/** What sends an event to an address that a merchant has chosen. */
const POSTING = 'shared/webhooks/deliver.ts deliver';
const READING_SECRETS = 'shared/store/worlds/read-provider-secrets.ts readProviderSecrets';

const code = readCode();
const names = globSync('functions/{*,workers/*}.ts').map((file) =>
  file.replace(/^functions\/(.*)\.ts$/, '$1'),
);
const reached = new Map(
  names.map((name) => [name, reach(code, `functions/${name}.ts handler`, HINTS, NEVER[name])] as const),
);

/** What a function is granted. Every function that requires an API key may also update it. */
function grantedTo(name: string): Act[] {
  const row = allOperations.find((each) => functionNameOf(each) === name);
  const acts = Object.entries(storageOf(name)).flatMap(([verb, kinds]) =>
    kinds.map((kind: string) => `${verb} ${kind}`),
  );
  return [
    ...acts,
    ...(row === undefined || row.permission === null ? [] : ['update KEY', 'update TEST-KEY']),
  ];
}

/** How a function's grants and its code differ. */
function differences(name: string, granted: readonly Act[]) {
  const acts = reached.get(name)?.acts ?? new Map();
  const notDone = NOT_DONE[name] ?? {};
  return {
    missing: [...acts.keys()].filter((act) => !granted.includes(act) && !(act in notDone)),
    needless: granted.filter((act) => !acts.has(act)),
    notOfUse: Object.keys(notDone).filter((act) => !acts.has(act) || granted.includes(act)),
  };
}

const AGREED = { missing: [], needless: [], notOfUse: [] };

describe('on every path of its code', () => {
  test.each(names)('%s is granted what it may do, and nothing else', (name) => {
    expect(reached.get(name)?.unknown.map(({ within, verb, text }) => `${within} ${verb}: ${text}`)).toEqual(
      [],
    );
    expect(differences(name, grantedTo(name))).toEqual(AGREED);
  });
});

describe('a function that can read the secrets of a provider', () => {
  const readers = names.filter((name) => talksToProvider(name));

  test.each(readers)('posts to no endpoint: %s', (name) => {
    expect([...(reached.get(name)?.visited ?? [])]).not.toContain(POSTING);
  });

  test('is each function whose code reads them, and no other', () => {
    const reading = names.filter((name) => reached.get(name)?.visited.has(READING_SECRETS));
    expect(reading.toSorted()).toEqual(readers.toSorted());
  });
});

test('only the four functions that deliver webhooks post to endpoints', () => {
  const posting = names.filter((name) => reached.get(name)?.visited.has(POSTING));
  expect(posting).toEqual(
    expect.arrayContaining(['advance-clock', 'send-test-event', 'workers/deliverer', 'workers/job-runner']),
  );
  expect(posting).toHaveLength(4);
});

describe('the comparison of calls and grants', () => {
  test('reports a missing and a needless grant', () => {
    const granted = grantedTo('advance-clock');
    expect(
      differences(
        'advance-clock',
        granted.filter((act) => act !== 'get JOBS'),
      ),
    ).toEqual({
      ...AGREED,
      missing: ['get JOBS'],
    });
    expect(differences('get-payment', [...grantedTo('get-payment'), 'get REFUND'])).toEqual({
      ...AGREED,
      needless: ['get REFUND'],
    });
  });

  test('reads every function, uses every hint, and finds every name in the hints', () => {
    const all = [...reached.values()];
    expect(names).toEqual(
      expect.arrayContaining(['get-payment', 'workers/job-runner', ...Object.keys(NOT_DONE)]),
    );
    const hinted = new Set(all.flatMap((each) => [...each.hinted]));
    expect(
      [...Object.keys(HINTS.kinds), ...Object.keys(HINTS.byMade)].filter((label) => !hinted.has(label)),
    ).toEqual([]);
    const named = [...Object.keys(HINTS.needs), ...Object.values(NEVER).flat()];
    expect(named.filter((name) => !code.has(name))).toEqual([]);
  });
});
