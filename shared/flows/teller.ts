import { setTimeout as sleep } from 'node:timers/promises';
import { eventBody, type ToldBy } from '../contract/events.ts';
import { type Delivery, nextAttemptOf, type Target } from '../domain/delivery.ts';
import type { DomainEvent } from '../domain/event.ts';
import { newId } from '../domain/id.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import type { EventType } from '../domain/resource.ts';
import { NO_COUNTS, type RunCounts } from '../domain/run-counts.ts';
import type { World } from '../domain/world.ts';
import { commit, type Write } from '../store/commit.ts';
import { logDeliveries } from '../store/delivery.ts';
import { insertEvents, nextSequence, noteEventBlock, readEventsAt } from '../store/event-log.ts';
import { remove } from '../store/item.ts';
import { insertJob, jobsIn, type WaitingJob } from '../store/job.ts';
import { eventBlockOf } from '../store/keys.ts';
import { mapLimit } from '../store/map-limit.ts';
import {
  findEntry,
  notePublished,
  type OutboxEntry,
  readOutboxOf,
  removePublished,
} from '../store/outbox.ts';
import type { Leases } from '../store/scheduler/lease.ts';
import { findWorld } from '../store/world.ts';
import { itemsOf, writeAll } from '../store/write-all.ts';
import { deliver } from '../webhooks/deliver.ts';
import { Batches } from './batches.ts';
import { Slots } from './slots.ts';
import { readTargets } from './targets.ts';
import type { UnderWay } from './under-way.ts';

/** DynamoDB takes 100 writes in one transaction: the events of each commit, and what becomes of its entry. */
const PUBLISHED_AT_ONCE = 50;
const FINISHED_AT_ONCE = 25;
const TAKEN_AT_ONCE = 16;
const CHECKED_AT_ONCE = 1_000;
const POSTS_AT_ONCE_PER_TARGET = 16;
/** How often an entry that somebody else holds is looked at again. */
const HELD_POLL_MS = 100;

export interface Telling {
  /** The base URL of this service, and so of its sinks. */
  readonly baseUrl: string;
  /** Until then, in real time, it waits for entries that somebody else holds. */
  readonly deadlineMs: number;
  readonly leases: Leases;
  /** Where what goes on beside the jobs is kept; its owner waits for it. */
  readonly underWay: UnderWay;
  /** A write for every commit, to store counts where a retry finds them. */
  readonly count?: ((counts: RunCounts) => Write) | undefined;
  /** Called after every commit. */
  readonly onDone?: ((counts: RunCounts) => void) | undefined;
  /** Called with the second attempts that were queued. */
  readonly onJobs?: (jobs: readonly WaitingJob[]) => void;
}

/** An entry whose events have their numbers. */
interface Published {
  readonly entry: OutboxEntry;
  readonly events: readonly PublishedEvent[];
}

/** The first attempts to deliver the events of an entry, for each receiver. */
interface Told {
  readonly entry: OutboxEntry;
  readonly attempts: readonly (readonly Delivery[])[];
}

/**
 * Tells what the outbox holds: gives events their sequence numbers, as many as fit at a time, and asks each receiver
 * once. An entry leaves the outbox when all of them have answered, or their next attempts are queued; so who dies in
 * between leaves nothing untold. The entries of one resource are published and told in order, those of different
 * resources side by side: a slow receiver delays only later events of the same resource.
 */
export class Teller {
  #world: World;
  readonly #telling: Telling;
  readonly #known = new Set<string>();
  #waiting: OutboxEntry[] = [];
  #isPublishing = false;
  #isStopped = false;
  #next: number | null = null;
  #targets: Promise<readonly Target[]> | null = null;
  /** By resource: the end of what is told of it so far. */
  readonly #lanes = new Map<string, Promise<void>>();
  /** Resources of which somebody else has taken over an entry, and so tells the later ones too. */
  readonly #lost = new Set<string>();
  readonly #slots = new Map<string, Slots>();
  readonly #checking = new Batches(CHECKED_AT_ONCE, (asked: readonly null[]) => this.#check(asked));
  readonly #finishing = new Batches(FINISHED_AT_ONCE, (told: readonly Told[]) => this.#finish(told));

  constructor(world: World, telling: Telling) {
    this.#world = world;
    this.#telling = telling;
  }

  /** Tells what there is of one resource, of which somebody else may have left something before. */
  async tell(resourceId: string): Promise<void> {
    this.add(await readOutboxOf(this.#world, resourceId));
  }

  /** @param entries all that there are of their resources, in order; those that were added before are left out */
  add(entries: readonly OutboxEntry[]): void {
    const added = entries.filter(({ key }) => !this.#known.has(key.sk));
    for (const { key } of added) {
      this.#known.add(key.sk);
    }
    this.#waiting.push(...added);
    if (!this.#isPublishing && added.length > 0) {
      this.#telling.underWay.add(this.#publishAll());
    }
  }

  /** Begins nothing more: what is not told is left to whoever finds its lease run out. */
  stop(): void {
    this.#isStopped = true;
  }

  async #publishAll(): Promise<void> {
    this.#isPublishing = true;
    try {
      while (this.#waiting.length > 0 && !this.#isStopped) {
        const ready = this.#takeReady();
        if (ready.length > 0) {
          await this.#publish(ready);
        } else if (Date.now() >= this.#telling.deadlineMs) {
          // Left to those who hold them, and to the clock.
          this.#waiting = [];
        } else {
          await sleep(HELD_POLL_MS);
          await this.#waitAgain(this.#waiting.splice(0));
        }
      }
    } finally {
      this.#isPublishing = false;
    }
  }

  /** The first entries that nobody else holds, nor an earlier one of the same resource. */
  #takeReady(): OutboxEntry[] {
    const blocked = new Set<string>();
    const ready = this.#waiting.filter(({ resourceId, lease }) => {
      if (this.#telling.leases.isOthers(lease)) {
        blocked.add(resourceId);
      }
      return !blocked.has(resourceId);
    });
    const taken = new Set(ready.slice(0, PUBLISHED_AT_ONCE));
    this.#waiting = this.#waiting.filter((entry) => !taken.has(entry));
    return [...taken];
  }

  /** Publishes entries, together or none, and goes on to tell them. Where somebody was faster they wait again. */
  async #publish(entries: readonly OutboxEntry[]): Promise<void> {
    const isHeard = (await this.#readTargets()).length > 0;
    const published = await this.#takeOver(entries.filter(({ place }) => place !== null));
    const mine = new Set(published.map(({ entry }) => entry));
    const others = new Set(
      entries.filter((entry) => entry.place !== null && !mine.has(entry)).map(({ resourceId }) => resourceId),
    );
    // What comes after an entry that somebody else tells waits for him.
    const fresh = entries.filter(({ place, resourceId }) => place === null && !others.has(resourceId));
    if (!isHeard) {
      // Before their entries go: nobody would know of them after that.
      await writeAll(
        [],
        fresh.flatMap(({ jobsOver }) => jobsOver),
      );
    }
    const numberedNow = await this.#giveNumbers(fresh, isHeard);
    for (const { entry } of numberedNow) {
      mine.add(entry);
    }
    const toTell = [...published, ...(isHeard ? numberedNow : [])];
    for (const one of toTell.toSorted((a, b) => entries.indexOf(a.entry) - entries.indexOf(b.entry))) {
      this.#tellInOrder(one);
    }
    const left = entries.filter((entry) => !mine.has(entry));
    if (left.length > 0) {
      await this.#waitAgain(left);
    }
  }

  /**
   * Takes what somebody has published who did not get to tell it, unless another one is faster: then he tells the later
   * entries of that resource too.
   */
  async #takeOver(entries: readonly OutboxEntry[]): Promise<Published[]> {
    const byResource = [...Map.groupBy(entries, ({ resourceId }) => resourceId).values()];
    const taken = await mapLimit(TAKEN_AT_ONCE, byResource, async (its) => {
      const published: Published[] = [];
      for (const entry of its) {
        if (!(await this.#telling.leases.take(entry.key, { mustExist: true }))) {
          break;
        }
        published.push({ entry, events: await readEventsAt(this.#world, Number(entry.place)) });
      }
      return published;
    });
    return taken.flat();
  }

  /** Lets entries wait as they are now, before those that were added meanwhile. */
  async #waitAgain(entries: readonly OutboxEntry[]): Promise<void> {
    const found = await readAgain(entries);
    this.#waiting = [...found, ...this.#waiting];
  }

  /** @returns none where one of them, or the next number, has gone to somebody else */
  async #giveNumbers(entries: readonly OutboxEntry[], isHeard: boolean): Promise<Published[]> {
    if (entries.length === 0) {
      return [];
    }
    this.#next ??= await nextSequence(this.#world);
    const published = numbered(this.#world, entries, this.#next);
    const { lease } = this.#telling.leases;
    const outcome = await commit(
      published.flatMap(({ entry, events }) => [
        insertEvents(this.#world, events, Date.now()),
        isHeard ? notePublished(entry, Number(events[0]?.place), lease) : removePublished(entry, lease),
      ]),
    );
    if (outcome.kind === 'conflict') {
      this.#next = null;
      return [];
    }
    await this.#noteEnd(published, isHeard);
    return published;
  }

  async #noteEnd(published: readonly Published[], isHeard: boolean): Promise<void> {
    const events = published.flatMap((one) => one.events);
    this.#next = Number(events.at(-1)?.sequence) + 1;
    for (const { entry } of isHeard ? published : []) {
      this.#telling.leases.hold(entry.key);
    }
    const block = eventBlockOf(Number(events.at(-1)?.place));
    if (block > (this.#world.eventBlock ?? -1)) {
      this.#world = { ...this.#world, eventBlock: block };
      // Only a hint: who publishes next notes it again.
      await noteEventBlock(this.#world, block).catch(() => undefined);
    }
  }

  #tellInOrder(one: Published): void {
    const { resourceId } = one.entry;
    const told = Promise.resolve(this.#lanes.get(resourceId)).then(() => this.#tell(one));
    this.#lanes.set(resourceId, told);
    this.#telling.underWay.add(told);
  }

  async #tell({ entry, events }: Published): Promise<void> {
    const targets = await this.#readTargets();
    if (this.#isStopped) {
      return;
    }
    if (this.#lost.has(entry.resourceId)) {
      await this.#telling.leases.release(entry.key);
      return;
    }
    // Nothing is sent after a purge.
    if (!(await this.#checking.add(null))) {
      return;
    }
    const nowMs = Math.max(...entry.events.map(({ occurredAtMs }) => occurredAtMs));
    const attempts = await Promise.all(
      targets.map((target) =>
        this.#slotsOf(target).run(async () => {
          const made: Delivery[] = [];
          for (const event of events) {
            made.push(await deliver({ target, event, attempt: 1, isRedelivery: false, nowMs }));
          }
          return made;
        }),
      ),
    );
    if (!this.#isStopped) {
      await this.#finishing.add({ entry, attempts });
    }
  }

  /** Logs the attempts, queues the next ones, and removes the entries. */
  async #finish(all: readonly Told[]): Promise<null[]> {
    const { leases, count, onDone } = this.#telling;
    // Who was frozen for long leaves it to who has taken over, and may have been answered otherwise.
    const isHeld = await mapLimit(TAKEN_AT_ONCE, all, ({ entry }) => leases.isHeld(entry.key));
    const told = all.filter((_, nth) => isHeld[nth]);
    for (const { entry } of all.filter((_, nth) => !isHeld[nth])) {
      this.#lost.add(entry.resourceId);
    }
    await writeAll(
      [],
      told.flatMap(({ entry }) => entry.jobsOver),
    );
    const failed = told.filter(({ attempts }) =>
      attempts.flat().some((made) => nextAttemptOf(made) !== null),
    );
    const taken = told.filter((one) => !failed.includes(one));
    await mapLimit(TAKEN_AT_ONCE, failed, (one) => this.#finishFailed(one));
    const attempts = taken.flatMap((one) => one.attempts);
    const keys = taken.map(({ entry }) => entry.key);
    const counts = attempted(attempts);
    await writeAll(itemsOf(attempts.map((made) => logDeliveries(this.#world, made, Date.now()))), []);
    // Only then, for who finds an entry tells it again.
    if (count === undefined) {
      await writeAll([], keys);
    } else if (keys.length > 0) {
      await commit([...keys.map(remove), count(counts)]);
    }
    for (const { entry } of told) {
      leases.drop(entry.key);
    }
    onDone?.(counts);
    return all.map(() => null);
  }

  /** In one transaction, so that a second attempt is queued once, however often the first one was made. */
  async #finishFailed({ entry, attempts }: Told): Promise<void> {
    const { count, onDone, onJobs } = this.#telling;
    const logged = attempts.map((made) => logDeliveries(this.#world, made, Date.now()));
    const again = attempts.flat().flatMap((delivery) => insertNextAttempt(this.#world, delivery));
    const counts = attempted(attempts);
    const outcome = await commit([
      ...again,
      remove(entry.key),
      ...(count === undefined ? [] : [count(counts)]),
      ...logged,
    ]);
    if (outcome.kind === 'committed') {
      onDone?.(counts);
      onJobs?.(jobsIn(again));
    }
  }

  /** Whether the world was not purged since: asked together by all who want to know it at the same time. */
  async #check(asked: readonly null[]): Promise<boolean[]> {
    const current = await findWorld(this.#world.id);
    return asked.map(() => current?.epoch === this.#world.epoch);
  }

  #readTargets(): Promise<readonly Target[]> {
    this.#targets ??= readTargets(this.#world, this.#telling.baseUrl);
    return this.#targets;
  }

  #slotsOf({ id }: Target): Slots {
    const slots = this.#slots.get(id) ?? new Slots(POSTS_AT_ONCE_PER_TARGET);
    this.#slots.set(id, slots);
    return slots;
  }
}

/** The type of an event's object follows from the event's type. */
type Typed = DomainEvent<EventType, ToldBy<EventType>>;

/** Entries as they are now, without those that are told. */
async function readAgain(entries: readonly OutboxEntry[]): Promise<OutboxEntry[]> {
  const found = await mapLimit(TAKEN_AT_ONCE, entries, ({ key }) => findEntry(key));
  return found.flatMap((entry) => entry ?? []);
}

/** Gives the events of entries their sequence numbers, and so their ids and bodies. */
function numbered(world: World, entries: readonly OutboxEntry[], first: number): Published[] {
  let place = first;
  return entries.map((entry) => {
    const events = entry.events.map((event, nth) => {
      const { type, resourceId, occurredAtMs } = event;
      const sequence = place + nth;
      const id = newId('evt', occurredAtMs, sequence);
      const body = eventBody(world, event as Typed, id, sequence);
      return { id, type, resourceId, sequence, place, body };
    });
    place += events.length;
    return { entry, events };
  });
}

function attempted(attempts: readonly (readonly Delivery[])[]): RunCounts {
  return { ...NO_COUNTS, deliveriesAttempted: attempts.flat().length };
}

function insertNextAttempt(world: World, delivery: Delivery): Write[] {
  const job = nextAttemptOf(delivery);
  return job === null ? [] : [insertJob(world, job)];
}
