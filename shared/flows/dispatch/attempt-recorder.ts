import { Batcher } from '../../concurrency/batcher.ts';
import { mapLimit } from '../../concurrency/map-limit.ts';
import { VIEW } from '../../contract/views.ts';
import { type Delivery, firstAttemptOf, nextAttemptOf } from '../../domain/delivery.ts';
import { NO_COUNTS, type RunCounts } from '../../domain/run-counts.ts';
import type { World } from '../../domain/world.ts';
import { logDeliveries } from '../../store/events/delivery.ts';
import { entriesIn, noteFinished, type OutboxEntry } from '../../store/events/outbox.ts';
import { insertJob, jobsIn, type WaitingJob } from '../../store/scheduler/job.ts';
import type { Leases } from '../../store/scheduler/lease.ts';
import { commit, type Write } from '../../store/table/commit.ts';
import { remove } from '../../store/table/item.ts';
import { insertAll, itemsOf, writeAll } from '../../store/table/write-all.ts';
import { markBacklogged } from '../../store/worlds/backlog.ts';
import { writesOf } from '../../store/writes.ts';
import { inTrace } from '../../telemetry/spans.ts';
import type { AttemptOutcome } from './attempt-delivery.ts';
import type { AttemptedEntry } from './entry-attempts.ts';
import type { KnownEndpoints } from './known-endpoints.ts';

/** DynamoDB's limit for one transaction. */
const WRITES_MAX = 100;
const RECORDED_AT_ONCE = 25;
const CHECKED_AT_ONCE = 16;
/** The log of its attempts, the endpoint, and the event of the endpoint. */
const WRITES_OF_ENDPOINT = 3;
/** The end of the entry, the backlog, and the counts. */
const WRITES_OF_ENTRY = 3;
/** How often a change of endpoints is tried that conflicts with other changes of them. */
const CHANGE_TRIES_MAX = 10;

export interface RecordOptions {
  readonly leases: Leases;
  /** Makes a write for every commit, which stores counts where a retry finds them. */
  readonly count?: ((counts: RunCounts) => Write) | undefined;
  /** Called after every commit. */
  readonly onDone?: ((counts: RunCounts) => void) | undefined;
  /** Called with the second attempts that were queued. */
  readonly onJobs?: (jobs: readonly WaitingJob[]) => void;
  /** Called with the entries that the commits make: an endpoint was disabled. */
  readonly onEntries: (entries: readonly OutboxEntry[]) => void;
  /** Called with an entry that another runner has taken over. */
  readonly onLost: (entry: OutboxEntry) => void;
}

/** Writes the results of first attempts: logs them, queues the next ones, and removes their entries from the outbox. */
export class AttemptRecorder {
  readonly #world: World;
  readonly #endpoints: KnownEndpoints;
  readonly #options: RecordOptions;
  readonly #batches = new Batcher(RECORDED_AT_ONCE, (batch: readonly AttemptedEntry[]) =>
    this.#recordAll(batch),
  );

  constructor(world: World, endpoints: KnownEndpoints, options: RecordOptions) {
    this.#world = world;
    this.#endpoints = endpoints;
    this.#options = options;
  }

  /** Records the attempts of an entry, together with others that are ready at the same time. */
  record(attempted: AttemptedEntry): Promise<void> {
    return this.#batches.add(attempted);
  }

  async #recordAll(batch: readonly AttemptedEntry[]): Promise<void> {
    const { leases, count, onDone, onLost } = this.#options;
    // If this runner stalled, another one may have taken over and got other responses: the entry belongs to that runner.
    const isHeld = await mapLimit(CHECKED_AT_ONCE, batch, ({ entry }) => leases.isHeld(entry.key));
    const held = batch.filter((_, nth) => isHeld[nth]);
    for (const { entry } of batch.filter((_, nth) => !isHeld[nth])) {
      onLost(entry);
    }
    await writeAll(
      [],
      held.flatMap(({ entry }) => entry.supersededJobs),
    );
    const {
      late = [],
      final = [],
      others = [],
    } = Object.groupBy(held, ({ outcomes }) => {
      if (outcomes.some(isQueued)) {
        return 'late';
      }
      const isRepeated = outcomes.some(({ attempts }) => attempts.some((one) => nextAttemptOf(one) !== null));
      return isRepeated || this.#endpoints.changesBy(outcomes).length > 0 ? 'others' : 'final';
    });
    await Promise.all([
      mapLimit(CHECKED_AT_ONCE, others, (one) => this.#recordInParts(one)),
      // All of these mark their endpoints in one item, the world.
      mapLimit(1, late, (one) => this.#recordInParts(one)),
    ]);
    const logs = final.flatMap(({ outcomes }) => outcomes.map(({ attempts }) => attempts));
    const keys = final.map(({ entry }) => entry.key);
    const counts = countsOf(logs);
    // If this runner stalls after checking its lease, another runner may have logged the attempts: never overwrite them.
    const items = itemsOf(logs.map((attempts) => logDeliveries(this.#world, attempts, Date.now())));
    await insertAll(items, 'log attempts');
    // Only then, since a runner that finds an entry dispatches it again.
    if (count === undefined) {
      await writeAll([], keys);
    } else if (keys.length > 0) {
      await commit([...keys.map((key) => remove(key)), count(counts)], 'finish entry');
    }
    for (const { entry } of held) {
      leases.drop(entry.key);
    }
    onDone?.(counts);
  }

  /**
   * Records the attempts of an entry in one transaction, so that what follows is queued once, however often the first attempt was made.
   * Where dozens of endpoints refuse several events, that does not fit: then some endpoints are recorded at a time, and
   * the entry names them as finished, so that a runner that takes over leaves them out.
   */
  async #recordInParts({ entry, outcomes, nowMs }: AttemptedEntry): Promise<void> {
    const parts = partsOf(outcomes);
    for (const [nth, part] of parts.entries()) {
      const names = part.map(({ target }) => target.id);
      const isLast = nth === parts.length - 1;
      const end = isLast ? remove(entry.key) : noteFinished(entry.key, names);
      if (!(await inTrace(entry.trace, () => this.#recordPart(part, nowMs, end)))) {
        return;
      }
    }
  }

  /** @returns false where another runner has recorded it */
  async #recordPart(part: readonly AttemptOutcome[], nowMs: number, end: Write): Promise<boolean> {
    const { leases, count, onDone, onJobs, onEntries } = this.#options;
    const logs = part.flatMap(({ attempts }) => (attempts.length === 0 ? [] : [attempts]));
    const next = part.flatMap(({ target, attempts, queued }) => [
      ...attempts.flatMap((delivery) => nextAttemptOf(delivery) ?? []),
      ...queued.map((event) => firstAttemptOf(event, target.id, nowMs)),
    ]);
    const jobs = next.map((job) => insertJob(this.#world, job));
    const late = part.filter(isQueued).map(({ target }) => target.id);
    const counts = countsOf(logs);
    for (let attempt = 1; attempt <= CHANGE_TRIES_MAX; attempt += 1) {
      const changes = attempt === CHANGE_TRIES_MAX ? [] : this.#endpoints.changesBy(part);
      const changed = writesOf({ world: this.#world, lease: leases.lease }, changes, VIEW);
      const outcome = await commit(
        [
          end,
          ...changed,
          ...(late.length === 0 ? [] : [markBacklogged(this.#world, late)]),
          ...(count === undefined ? [] : [count(counts)]),
          ...jobs,
          ...logs.map((attempts) => logDeliveries(this.#world, attempts, Date.now())),
        ],
        'remove' in end ? 'finish entry' : undefined,
      );
      if (outcome.kind === 'committed') {
        this.#endpoints.keep(changes);
        const entries = entriesIn(changed);
        for (const { key } of entries) {
          leases.hold(key);
        }
        onEntries(entries);
        onDone?.(counts);
        onJobs?.(jobsIn(jobs));
        return true;
      }
      if (outcome.failed.includes(0) || changed.length === 0) {
        return false;
      }
      await this.#endpoints.refresh(changes);
    }
    return false;
  }
}

/** Outcomes whose writes fit into one transaction, beside the writes that belong to the entry. */
function partsOf(outcomes: readonly AttemptOutcome[]): AttemptOutcome[][] {
  const parts: AttemptOutcome[][] = [];
  let room = 0;
  for (const one of outcomes) {
    const writes = one.attempts.length + one.queued.length + WRITES_OF_ENDPOINT;
    if (writes > room) {
      parts.push([]);
      room = WRITES_MAX - WRITES_OF_ENTRY;
    }
    parts.at(-1)?.push(one);
    room -= writes;
  }
  return parts;
}

function isQueued({ queued }: AttemptOutcome): boolean {
  return queued.length > 0;
}

function countsOf(logs: readonly (readonly Delivery[])[]): RunCounts {
  return { ...NO_COUNTS, deliveriesAttempted: logs.flat().length };
}
