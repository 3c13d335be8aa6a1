import { expect, inject, vi } from 'vitest';
import { startBus } from '../../../infra/local/bus.ts';
import { loadWorker } from '../../../infra/local/function.ts';
import { createTable } from '../../../infra/local/store.ts';
import type { Due } from '../../../shared/contract/bus.ts';
import { LONG_FUNCTION_TIMEOUT_SECONDS } from '../../../shared/contract/operation.ts';
import { RESOURCE_NAMES } from '../../../shared/domain/resource.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import {
  canHappen,
  type End,
  type Fault,
  type GatedCall,
  gatedRun,
  type Plan,
  type SentCall,
} from '../../support/faults/gated-run.ts';
import { startInProcess } from '../../support/world/in-process.ts';
import type { StoredItem } from '../../support/world/opened-item.ts';
import { rawItems, restoreTable, scanTable } from '../../support/world/stored-table.ts';
import { canonical, differenceOf } from './canonical-world.ts';

const { readQueuePks } = await import('../../../shared/flows/dispatch/delivery-targets.ts');
const { getWorld } = await import('../../../shared/store/worlds/world.ts');

/** Longer than any lease, and within the minute in which two times count as the same. */
const LATER_MS = (LONG_FUNCTION_TIMEOUT_SECONDS + 5) * 1_000;
const TICK_MS = 10;
const BUS = 'crash';
const TRIES_MAX = 5;
const MINUTE_MS = 60_000;
/** Attributes of numbers that may have gaps (contract §13) and of deliveries that may repeat (contract §10). */
const NOT_COMPARED = [
  ...RESOURCE_NAMES.map((name) => `${name}Count`),
  'receivedCount',
  // A hint, which the next publisher sets again.
  'eventBlock',
  // A runner that dies before it clears the backlog entry leaves that to the next one that creates pending deliveries.
  'backloggedEndpoints',
  // Rises with each mark of a backlog. An attempt that is slow for the machine's sake marks one, too.
  'backlogVersion',
  // An attribute of a completed claim.
  'leaseEndsAtMs',
  // Follows from the event and the instant of the attempt.
  'webhook-signature',
  // How long an endpoint took to respond.
  'durationMs',
];

/** A request to the service, by a client or an event, which can be repeated. */
export interface Scenario {
  /** The world of the jobs that run afterwards. */
  readonly worldId: string;
  /** @returns the result, which must be the same each time */
  readonly request: () => Promise<string>;
  /** Whether a repeated request has one effect: true for all requests with a key of their own. */
  readonly isOnce: boolean;
  /** Other results that a disturbed run may have. */
  readonly mayEndWith: (end: End<string>, fault: Fault) => boolean;
}

/** The events on the bus. */
export const named: Due[] = [];

/** A table, a bus and a service of this test file alone, whose clock stands still unless a test moves it. */
export async function openWorkshop() {
  const beganAtMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  vi.useFakeTimers({ toFake: ['Date'], now: beganAtMs });
  process.env.TABLE_NAME = `crash-${process.pid}`;
  await createTable(inject('service').dynamodbEndpoint, process.env.TABLE_NAME);
  const bus = await startBus(BUS, ({ detail }) => named.push(detail as Due));
  Object.assign(process.env, { AWS_ENDPOINT_URL_EVENTBRIDGE: bus.endpoint, [VARIABLES.busName]: BUS });
  const service = await startInProcess();
  // The runner needs it, because no request gives it the service's address.
  process.env[VARIABLES.baseUrl] = service.baseUrl;
  return {
    ...service,
    /** Sends a request, a moment after the one before. */
    send: (address: string, init: RequestInit) => {
      passTime(TICK_MS);
      return service.send(address, init);
    },
    close: async () => {
      vi.useRealTimers();
      bus.stop();
      await service.stop();
    },
    /** Starts with an empty table, at the initial time. */
    clear: async () => {
      await restoreTable([]);
      vi.setSystemTime(beganAtMs);
    },
    trials: (scenario: Scenario) => openTrials(scenario, beganAtMs),
  };
}

/** The event that makes the job runner do what waits in a world. As the clock's, it names where that lies. */
export async function workOf(worldId: string) {
  const items = await Promise.all(
    [`${worldId}.`, `TEST-WORLD#${worldId}`].map((pkBegins) => rawItems({ pkBegins })),
  );
  const pks = items.flat().map(({ pk }) => String(pk));
  const due = pks.filter((pk) => /^TEST-WORLD#|#(JOBS|OUTBOX|NEXT-RUN)(#|$)/.test(pk));
  return { detail: { worldId, pks: [...new Set(due)] } };
}

/** The bus event that makes the deliverer send everything that waits for the delivery targets of a world. */
export async function messageOf(worldId: string) {
  const pks = await readQueuePks(await getWorld(worldId));
  return { Records: [{ body: JSON.stringify({ detail: { worldId, pks } }) }] };
}

const ROUNDS_MAX = 3;
const NO_DIFFERENCE = { only: [], other: [] };

export function passTime(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

export interface Trials {
  /** All places for these faults. */
  readonly plansOf: (faults: readonly Fault[]) => Plan[];
  /** Injects one fault into one call, repeats the request, runs the jobs, and compares with an undisturbed world. */
  readonly tryOne: (plan: Plan) => Promise<void>;
}

/** Runs a scenario without a fault from the current table, and prepares runs with faults. */
async function openTrials(scenario: Scenario, beganAtMs: number): Promise<Trials> {
  const { worldId, request, isOnce, mayEndWith } = scenario;
  const before = await rawItems();
  const beforeMs = Date.now();
  const runJobs = await loadWorker<object, void>('job-runner');
  const deliver = await loadWorker<object, void>('deliverer');

  const run = async (plan: Plan | null, isRepeated: boolean) => {
    await restoreTable(before);
    vi.setSystemTime(beforeMs);
    const { end, calls } = await gatedRun(plan, request);
    passTime(LATER_MS);
    const result = isRepeated ? await request() : String(end.kind === 'done' && end.value);
    // It wakes after another runner has taken over.
    const last = end.kind === 'stalled' ? await end.wake() : end;
    let rounds = 0;
    do {
      await runJobs(await workOf(worldId));
      await deliver(await messageOf(worldId));
      rounds += 1;
      // An attempt can disable its endpoint, which is an event.
    } while (rounds < ROUNDS_MAX && (await workOf(worldId)).detail.pks.some((pk) => pk.includes('#OUTBOX#')));
    return { calls, end: last, result, world: canonical([result, ...(await storedTexts())], beganAtMs) };
  };

  /** Concurrent work may need one call less than it did when calls were counted. */
  const runUntilTried = async (plan: Plan) => {
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const tried = await run(plan, true);
      if (tried.calls.length > plan.at) {
        return tried;
      }
    }
    throw new Error(`call ${plan.at} was never sent: nothing was tried`);
  };

  // The first run of a key finds where it lies, by a call that no later run makes.
  const twice = await run(null, true);
  const once = await run(null, false);
  if (isOnce) {
    expect(differenceOf(once.world, twice.world)).toEqual(NO_DIFFERENCE);
  }
  return {
    plansOf: (faults) =>
      faults.flatMap((fault) =>
        placesOf(fault, once.calls)
          .filter((at) => !fault.startsWith('killed') || !isReadOn(once.calls, at))
          .map((at): Plan => ({ at, fault })),
      ),
    tryOne: async (plan) => {
      const { end, world } = await runUntilTried(plan);
      const isSame =
        end.kind === 'done' && canonical([end.value], beganAtMs) === canonical([once.result], beganAtMs);
      if (!isSame && !mayEndWith(end, plan.fault)) {
        throw new Error(`call ${plan.at}, ${plan.fault}, ended with ${describe(end)} and not ${once.result}`);
      }
      if (world !== once.world) {
        expect({ ...plan, ...differenceOf(twice.world, world) }).toEqual({ ...plan, ...NO_DIFFERENCE });
      }
    },
  };
}

const READS = ['GetItem', 'BatchGetItem', 'Query'];

/** Whether a call reads, and so does the one before it: after either of them, the same is stored. */
function isReadOn(calls: readonly SentCall[], at: number): boolean {
  return calls.slice(Math.max(at - 1, 0), at + 1).every(({ name }) => READS.includes(name)) && at > 0;
}

/**
 * The calls that get a fault. A kill is tried at each call; of two sequential calls, after the first equals before the
 * second. For other faults, calls of one shape are one place.
 */
export function placesOf(fault: Fault, calls: readonly SentCall[]): number[] {
  const shapes = calls.map(shapeOf);
  const isPlace = (call: SentCall, at: number) => {
    switch (fault) {
      case 'killed before':
        return at === 0 || !call.isAlone;
      case 'killed after':
        return true;
      default:
        return shapes.indexOf(shapeOf(call)) === at;
    }
  };
  return [...calls.entries()]
    .filter(([at, call]) => isPlace(call, at) && canHappen(fault, call))
    .map(([at]) => at);
}

/** What a call does to which kinds of items. */
function shapeOf({ name, input }: GatedCall): string {
  const text = JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const kinds = text.match(/[A-Z-]{2,}(?=#)|(?<=#)[A-Z-]{2,}/g) ?? [];
  return `${name} ${[...new Set(kinds)].toSorted().join()}`;
}

function describe(end: End<string>): string {
  return end.kind === 'done' ? end.value : `${end.kind} ${end.kind === 'threw' ? String(end.error) : ''}`;
}

/**
 * All that is stored, except leases of running work, the counters of a move, how often a link was requested in a minute
 * (that is a rate limit, and may count one more if a response was lost), and the log of requests, which has each retry.
 */
async function storedTexts(): Promise<string[]> {
  const all = sameEpochs(await scanTable());
  const epochs = new Map(all.filter(({ sk }) => sk === 'WORLD').map(({ id, epoch }) => [id, Number(epoch)]));
  const items = all.filter(
    (item) =>
      !String(item.sk).startsWith('LEASE') &&
      !/^RUNNER-SLOTS#|#(POSTS|REQUESTS)#/.test(String(item.pk)) &&
      !isOfThePast(item, epochs),
  );
  const tallies = Map.groupBy(
    items.filter(({ sk }) => String(sk).startsWith('COUNTER#')),
    ({ pk }) => pk,
  );
  return [
    ...items.filter(({ sk }) => !String(sk).startsWith('COUNTER#')),
    ...[...tallies].map(([pk, lanes]) => ({ pk, sk: 'COUNTER', ...sum(lanes) })),
    ...ordersOf(items),
  ].map((item) => comparable(item).replace(SEQUENCE, '$1*'));
}

/** The order between two resources is free; `ordersOf` compares the order of the events of each one. */
const SEQUENCE = /(\\*"(?:sequence|firstSequence)\\*":|"(?:sk|relatedSk)":"(?=\d{12}")|#(?=\d{12}#))\d+/g;

/** The events of each resource in their order. There is no gap in the numbers of all of them together. */
function ordersOf(items: readonly StoredItem[]): StoredItem[] {
  const events = items
    .filter(({ pk }) => String(pk).includes('#EVENTS#'))
    .flatMap(({ parts, ...item }) => (parts as StoredItem[] | undefined) ?? [item])
    .toSorted((one, other) => Number(one.sequence) - Number(other.sequence));
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, nth) => nth + 1));
  const idOf = ({ data }: StoredItem) => (data as { object: { id: string } }).object.id;
  return [...Map.groupBy(events, idOf)].map(([id, its]) => ({
    id,
    published: its.map(({ type }) => type).join(),
  }));
}

/**
 * The items with every created world that has not ended in its first epoch: each copy of a fork has an epoch of its own.
 * What earlier copies have left is out of reach, and a job deletes it.
 */
function sameEpochs(items: readonly StoredItem[]): StoredItem[] {
  const open = items.filter(
    ({ pk, undeletedEpoch }) => String(pk).startsWith('TEST-WORLD#') && undeletedEpoch === undefined,
  );
  const scopes = new Map(open.map(({ id, epoch }) => [String(id), `${id}.${epoch}`]));
  return items.flatMap((item): StoredItem[] => {
    const [scope = '', worldId = ''] = /^(\w+)\.\d+(?=#)/.exec(String(item.pk)) ?? [];
    const current = scopes.get(worldId);
    if (current !== undefined && (scope !== current || item.kind === 'delete-epoch')) {
      return [];
    }
    const own = scopes.get(String(item.id ?? '')) ?? current;
    const renamed = Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' && own !== undefined ? value.replace(own, own.replace(/\d+$/, '1')) : value,
    ]);
    return [
      { ...Object.fromEntries(renamed), ...(item.sk === 'WORLD' && own !== undefined && { epoch: 1 }) },
    ];
  });
}

/** A claim in an epoch that a purge has ended: it is out of reach, and ends with its time. */
function isOfThePast({ pk, sk }: StoredItem, epochs: ReadonlyMap<unknown, number>): boolean {
  const [, worldId, epoch] = /^(\w+)\.(\d+)#/.exec(String(pk)) ?? [];
  return sk === 'CLAIM' && Number(epoch) < Number(epochs.get(worldId));
}

function sum(lanes: readonly StoredItem[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const [name, value] of lanes.flatMap((lane) => Object.entries(lane))) {
    if (typeof value === 'number') {
      total[name] = (total[name] ?? 0) + value;
    }
  }
  return total;
}

/** An item with its names in one order, for engines keep none. */
function comparable(item: StoredItem): string {
  const isSink = 'receivedCount' in item;
  const compared = Object.entries(item).filter(([name]) => !(isSink && name === 'version'));
  return JSON.stringify(Object.fromEntries(compared), (name, value: unknown) =>
    NOT_COMPARED.includes(name)
      ? undefined
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : value,
  );
}
