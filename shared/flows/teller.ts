import { setTimeout as sleep } from 'node:timers/promises';
import { VIEW } from '../contract/views.ts';
import { type Delivery, firstAttemptOf, nextAttemptOf, type Target } from '../domain/delivery.ts';
import { type Endpoint, type EndpointChange, hears, noteAttempts } from '../domain/endpoint.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import { NO_COUNTS, type RunCounts } from '../domain/run-counts.ts';
import type { World } from '../domain/world.ts';
import { nameBehind } from '../store/behind.ts';
import { commit, type Write } from '../store/commit.ts';
import { logDeliveries } from '../store/delivery.ts';
import { readEndpoint } from '../store/endpoint.ts';
import { remove } from '../store/item.ts';
import { insertJob, jobsIn, type WaitingJob } from '../store/job.ts';
import { mapLimit } from '../store/map-limit.ts';
import { entriesIn, noteFinished, type OutboxEntry, readOutboxOf } from '../store/outbox.ts';
import type { Leases } from '../store/scheduler/lease.ts';
import { Slots } from '../store/slots.ts';
import { findWorld } from '../store/world.ts';
import { insertAll, itemsOf, writeAll } from '../store/write-all.ts';
import { writesOf } from '../store/writes.ts';
import type { Poster } from '../webhooks/poster.ts';
import { Batches } from './batches.ts';
import { type Asked, askFirst, askLater, PATIENCE_MS } from './first-attempts.ts';
import { type Published, Publisher } from './publisher.ts';
import { readTargets } from './targets.ts';
import type { UnderWay } from './under-way.ts';

/** DynamoDB's limit for one transaction. */
const WRITES_MAX = 100;
/** The events of each commit, and what becomes of its entry. */
const PUBLISHED_AT_ONCE = WRITES_MAX / 2;
const FINISHED_AT_ONCE = 25;
const READ_AT_ONCE = 16;
/** Its log, its endpoint, and the event of its endpoint. */
const WRITES_OF_RECEIVER = 3;
/** Its end, the backlog, and the counts. */
const WRITES_OF_ENTRY = 3;
/** How often it is tried to note what attempts say of receivers that change meanwhile. */
const NOTES_TRIES_MAX = 10;
/** An entry is held from its publication until it is told, and each that is held costs renewals. */
const UNTOLD_MAX = 200;
const CHECKED_AT_ONCE = 1_000;
const POSTS_AT_ONCE_PER_TARGET = 16;
/** How often an entry that somebody else holds is looked at again. */
const HELD_POLL_MS = 100;

export interface Telling {
  /** The base URL of this service, and so of its sinks. */
  readonly baseUrl: string;
  readonly poster: Poster;
  /** Until then, in real time, it waits for entries that somebody else holds. */
  readonly deadlineMs: number;
  readonly leases: Leases;
  /** Whether it waits until those are told that somebody else holds; where not, it waits only to tell what comes after. */
  readonly waitsForOthers?: boolean;
  /** How long it waits for a receiver before it tells the others what comes next, in milliseconds of real time. */
  readonly patienceMs?: number;
  /** Where what goes on beside the jobs is kept; its owner waits for it. */
  readonly underWay: UnderWay;
  /** A write for every commit, to store counts where a retry finds them. */
  readonly count?: ((counts: RunCounts) => Write) | undefined;
  /** Called after every commit. */
  readonly onDone?: ((counts: RunCounts) => void) | undefined;
  /** Called with the second attempts that were queued. */
  readonly onJobs?: (jobs: readonly WaitingJob[]) => void;
}

/** What became of the first attempts to deliver the events of an entry, for each receiver. */
interface Told {
  readonly entry: OutboxEntry;
  readonly asked: readonly Asked[];
  /** When its events happened, on the merchant's clock. */
  readonly nowMs: number;
}

/**
 * Tells what the outbox holds: gives events their sequence numbers, as many as fit at a time, and asks each receiver
 * once. An entry leaves the outbox when all of them have answered, or what they have not answered is queued; so who dies
 * in between leaves nothing untold. The entries of one resource are published and told in order, those of different
 * resources side by side. A slow receiver is soon left to its own queue, where later events wait behind the first.
 */
export class Teller {
  readonly #world: World;
  readonly #telling: Telling;
  readonly #publisher: Publisher;
  /** Entries that wait here, or are published from here. */
  readonly #known = new Set<string>();
  #waiting: OutboxEntry[] = [];
  readonly #mine = new Set<string>();
  readonly #untold = new Set<Promise<void>>();
  #isPublishing = false;
  #isStopped = false;
  #targets: Promise<readonly Target[]> | null = null;
  /** By resource: the end of what is told of it so far. */
  readonly #lanes = new Map<string, Promise<void>>();
  /** Resources of which somebody else has taken over an entry, and so tells the later ones too. */
  readonly #lost = new Set<string>();
  readonly #slots = new Map<string, Slots>();
  /** Receivers that have changed since they were read, by their ids; null: deleted. */
  readonly #noted = new Map<string, Endpoint | null>();
  readonly #checking = new Batches(CHECKED_AT_ONCE, (asked: readonly null[]) => this.#readWorld(asked));
  readonly #finishing = new Batches(FINISHED_AT_ONCE, (told: readonly Told[]) => this.#finish(told));

  constructor(world: World, telling: Telling) {
    this.#world = world;
    this.#telling = telling;
    this.#publisher = new Publisher(world, telling.leases);
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
        const ready = this.#untold.size < UNTOLD_MAX ? this.#takeReady() : [];
        if (this.#untold.size >= UNTOLD_MAX) {
          await Promise.race(this.#untold);
        } else if (ready.length > 0) {
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
    const isHeld = ({ lease }: OutboxEntry) => this.#telling.leases.isOthers(lease);
    if (!this.#telling.waitsForOthers) {
      const byResource = Map.groupBy(this.#waiting, ({ resourceId }) => resourceId);
      this.#leave([...byResource.values()].filter((its) => its.every(isHeld)).flat());
    }
    const blocked = new Set(this.#waiting.filter(isHeld).map(({ resourceId }) => resourceId));
    const ready = this.#waiting.filter(({ resourceId }) => !blocked.has(resourceId));
    const taken = new Set(ready.slice(0, PUBLISHED_AT_ONCE));
    this.#waiting = this.#waiting.filter((entry) => !taken.has(entry));
    return [...taken];
  }

  /** Leaves entries to whoever holds them. */
  #leave(entries: readonly OutboxEntry[]): void {
    const left = new Set(entries);
    this.#waiting = this.#waiting.filter((entry) => !left.has(entry));
    for (const { key } of entries) {
      this.#known.delete(key.sk);
    }
  }

  /** Publishes entries, and goes on to tell them. Where somebody was faster they wait again. */
  async #publish(entries: readonly OutboxEntry[]): Promise<void> {
    const isHeard = (await this.#readTargets()).length > 0;
    const published = await this.#publisher.publish(entries, isHeard);
    for (const one of published) {
      this.#mine.add(one.entry.key.sk);
      if (isHeard) {
        this.#tellInOrder(one);
      }
    }
    await this.#waitAgain(entries.filter(({ key }) => !this.#mine.has(key.sk)));
  }

  /** Lets entries wait as they are now, with the others of their resources, before what was added meanwhile. */
  async #waitAgain(entries: readonly OutboxEntry[]): Promise<void> {
    const ids = [...new Set(entries.map(({ resourceId }) => resourceId))];
    const found = await mapLimit(READ_AT_ONCE, ids, (id) => readOutboxOf(this.#world, id));
    const again = found.flat().filter(({ key }) => !this.#mine.has(key.sk));
    for (const { key } of again) {
      this.#known.add(key.sk);
    }
    const keys = new Set(again.map(({ key }) => key.sk));
    this.#waiting = [...again, ...this.#waiting.filter(({ key }) => !keys.has(key.sk))];
  }

  #tellInOrder(one: Published): void {
    const { resourceId } = one.entry;
    const told = Promise.resolve(this.#lanes.get(resourceId)).then(() => this.#tell(one));
    this.#lanes.set(resourceId, told);
    const settled = told.catch(() => undefined).finally(() => this.#untold.delete(settled));
    this.#untold.add(settled);
    this.#telling.underWay.add(told);
  }

  async #tell({ entry, events }: Published): Promise<void> {
    const { poster } = this.#telling;
    const targets = await this.#readTargets();
    if (this.#isStopped) {
      return;
    }
    if (this.#lost.has(entry.resourceId)) {
      await this.#telling.leases.release(entry.key);
      return;
    }
    const world = await this.#checking.add(null);
    // Nothing is sent after a purge.
    if (world?.epoch !== this.#world.epoch) {
      return;
    }
    const isUnfinished = ({ id }: Target) => !entry.finished.has(id);
    const nowMs = Math.max(...entry.events.map(({ occurredAtMs }) => occurredAtMs));
    const { patienceMs = PATIENCE_MS } = this.#telling;
    const asked = await Promise.all(
      heardBy(this.#asNoted(targets).filter(isUnfinished), events).map(([target, heard]) =>
        world.behind.has(target.id)
          ? askLater(target, heard)
          : askFirst(target, heard, { poster, slots: this.#slotsOf(target), nowMs, patienceMs }),
      ),
    );
    if (!this.#isStopped) {
      await this.#finishing.add({ entry, asked, nowMs });
    }
  }

  /** Logs the attempts, queues the next ones, and removes the entries. */
  async #finish(all: readonly Told[]): Promise<null[]> {
    const { leases, count, onDone } = this.#telling;
    // Who was frozen for long leaves it to who has taken over, and may have been answered otherwise.
    const isHeld = await mapLimit(READ_AT_ONCE, all, ({ entry }) => leases.isHeld(entry.key));
    const told = all.filter((_, nth) => isHeld[nth]);
    for (const { entry } of all.filter((_, nth) => !isHeld[nth])) {
      this.#lost.add(entry.resourceId);
    }
    await writeAll(
      [],
      told.flatMap(({ entry }) => entry.jobsOver),
    );
    const taken = told.filter(({ asked }) => asked.every(isTaken) && this.#notesOf(asked).length === 0);
    const others = told.filter((one) => !taken.includes(one));
    const late = others.filter(({ asked }) => asked.some(isLate));
    // Those that are late all name their receivers in one place.
    await Promise.all([
      mapLimit(
        READ_AT_ONCE,
        others.filter((one) => !late.includes(one)),
        (one) => this.#finishUnanswered(one),
      ),
      mapLimit(1, late, (one) => this.#finishUnanswered(one)),
    ]);
    const attempts = taken.flatMap(({ asked }) => asked.map(({ made }) => made));
    const keys = taken.map(({ entry }) => entry.key);
    const counts = attempted(attempts);
    // Who was frozen after the look at his lease leaves what was logged meanwhile as it is.
    await insertAll(itemsOf(attempts.map((made) => logDeliveries(this.#world, made, Date.now()))));
    // Only then, for who finds an entry tells it again.
    if (count === undefined) {
      await writeAll([], keys);
    } else if (keys.length > 0) {
      await commit([...keys.map((key) => remove(key)), count(counts)]);
    }
    for (const { entry } of told) {
      leases.drop(entry.key);
    }
    onDone?.(counts);
    return all.map(() => null);
  }

  /**
   * Finishes an entry in one transaction, so that what follows is queued once, however often the first attempt was made.
   * Where that does not fit, since dozens of receivers refuse several events, receivers are finished some at a time: the
   * entry names them from then on, and a runner that takes over leaves them out.
   */
  async #finishUnanswered({ entry, asked, nowMs }: Told): Promise<void> {
    const parts = partsOf(asked);
    for (const [nth, part] of parts.entries()) {
      const names = part.map(({ target }) => target.id);
      const isLast = nth === parts.length - 1;
      const end = isLast ? remove(entry.key) : noteFinished(entry.key, names);
      if (!(await this.#finishPart({ entry, asked: part, nowMs }, end))) {
        return;
      }
    }
  }

  /** @returns false where another runner has finished it */
  async #finishPart({ asked, nowMs }: Told, end: Write): Promise<boolean> {
    const { leases, count, onDone, onJobs } = this.#telling;
    const attempts = asked.flatMap(({ made }) => (made.length === 0 ? [] : [made]));
    const queued = asked.flatMap(({ target, made, left }) => [
      ...made.flatMap((delivery) => insertNextAttempt(this.#world, delivery)),
      ...left.map((event) => insertJob(this.#world, firstAttemptOf(event, target.id, nowMs))),
    ]);
    const late = asked.filter(isLate).map(({ target }) => target.id);
    const counts = attempted(attempts);
    for (let attempt = 1; attempt <= NOTES_TRIES_MAX; attempt += 1) {
      const notes = attempt === NOTES_TRIES_MAX ? [] : this.#notesOf(asked);
      const noted = writesOf({ world: this.#world, lease: leases.lease }, notes, VIEW);
      const outcome = await commit([
        end,
        ...noted,
        ...(late.length === 0 ? [] : [nameBehind(this.#world, late)]),
        ...(count === undefined ? [] : [count(counts)]),
        ...queued,
        ...attempts.map((made) => logDeliveries(this.#world, made, Date.now())),
      ]);
      if (outcome.kind === 'committed') {
        this.#keepNotes(notes, entriesIn(noted));
        onDone?.(counts);
        onJobs?.(jobsIn(queued));
        return true;
      }
      if (outcome.which.includes(0) || noted.length === 0) {
        return false;
      }
      await mapLimit(READ_AT_ONCE, notes, async ({ before }) => {
        if (before !== null) {
          this.#noted.set(before.id, await readEndpoint(this.#world, before));
        }
      });
    }
    return false;
  }

  #keepNotes(notes: readonly EndpointChange[], entries: readonly OutboxEntry[]): void {
    for (const { after } of notes) {
      if (after !== null) {
        this.#noted.set(after.id, after);
      }
    }
    for (const { key } of entries) {
      this.#telling.leases.hold(key);
    }
    this.add(entries);
  }

  /** The world as it is now: read once for all who want to know it at the same time. */
  async #readWorld(asked: readonly null[]): Promise<(World | null)[]> {
    const world = await findWorld(this.#world.id);
    return asked.map(() => world);
  }

  #readTargets(): Promise<readonly Target[]> {
    this.#targets ??= readTargets(this.#world, this.#telling.baseUrl);
    return this.#targets;
  }

  /** The receivers as they are by what was noted here: each is read once, and may be disabled since. */
  #asNoted(targets: readonly Target[]): Target[] {
    return targets.flatMap((target) => {
      const endpoint = this.#noted.get(target.id);
      return endpoint === null ? [] : [{ ...target, ...(endpoint && { endpoint }) }];
    });
  }

  /** What attempts change in their receivers: little, and seldom. */
  #notesOf(asked: readonly Asked[]): EndpointChange[] {
    return asked.flatMap(({ target, made }) => {
      const noted = this.#noted.get(target.id);
      const endpoint = noted === undefined ? target.endpoint : noted;
      return (endpoint && noteAttempts(endpoint, made)) ?? [];
    });
  }

  #slotsOf({ id }: Target): Slots {
    const slots = this.#slots.get(id) ?? new Slots(POSTS_AT_ONCE_PER_TARGET);
    this.#slots.set(id, slots);
    return slots;
  }
}

/** Who gets which of these events. */
function heardBy(targets: readonly Target[], events: readonly PublishedEvent[]) {
  return targets
    .map((target) => [target, events.filter((event) => hears(target.endpoint, event))] as const)
    .filter(([, heard]) => heard.length > 0);
}

/** Receivers whose writes fit into one transaction, beside those that belong to the entry. */
function partsOf(asked: readonly Asked[]): Asked[][] {
  const parts: Asked[][] = [];
  let room = 0;
  for (const one of asked) {
    const writes = one.made.length + one.left.length + WRITES_OF_RECEIVER;
    if (writes > room) {
      parts.push([]);
      room = WRITES_MAX - WRITES_OF_ENTRY;
    }
    parts.at(-1)?.push(one);
    room -= writes;
  }
  return parts;
}

/** Whether nothing is to follow: every attempt was answered, and none is made again. */
function isTaken(asked: Asked): boolean {
  return !isLate(asked) && asked.made.every((delivery) => nextAttemptOf(delivery) === null);
}

function isLate({ left }: Asked): boolean {
  return left.length > 0;
}

function attempted(attempts: readonly (readonly Delivery[])[]): RunCounts {
  return { ...NO_COUNTS, deliveriesAttempted: attempts.flat().length };
}

function insertNextAttempt(world: World, delivery: Delivery): Write[] {
  const job = nextAttemptOf(delivery);
  return job === null ? [] : [insertJob(world, job)];
}
