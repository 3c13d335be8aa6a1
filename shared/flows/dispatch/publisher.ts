import { type EventObjectOf, eventBody } from '../../contract/events.ts';
import type { DomainEvent } from '../../domain/event.ts';
import { newId } from '../../domain/id.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import type { EventType } from '../../domain/resource.ts';
import { scopeOf, type World } from '../../domain/world.ts';
import { commit } from '../../store/commit.ts';
import { insertEvents, nextSequence, noteEventBlock, readEventsAt } from '../../store/event-log.ts';
import { eventBlockOf } from '../../store/keys.ts';
import { mapLimit } from '../../store/map-limit.ts';
import { notePublished, type OutboxEntry, removePublished } from '../../store/outbox.ts';
import type { Leases } from '../../store/scheduler/lease.ts';
import { writeAll } from '../../store/write-all.ts';
import { KeyedMutex } from './keyed-mutex.ts';

const TAKEN_AT_ONCE = 16;

/** An entry whose events have their numbers. */
export interface Published {
  readonly entry: OutboxEntry;
  readonly events: readonly PublishedEvent[];
}

/** By scope: the number that its next event gets. Those of one process would only take it from each other. */
const numbers = new KeyedMutex<number>();

/** Gives the events of a world's outbox their sequence numbers, and so their ids and bodies. */
export class Publisher {
  #world: World;
  /** Whether a number that was read turned out to be taken. */
  #wasLate = false;
  readonly #leases: Leases;

  constructor(world: World, leases: Leases) {
    this.#world = world;
    this.#leases = leases;
  }

  /**
   * Publishes entries that nobody has published, together or none, and takes over those that somebody has published who
   * did not get to tell them.
   * @param isHeard whether there is somebody to tell: where not, entries leave the outbox
   * @returns what is published and held now, or gone, in the order of `entries`; the others have to be read again
   */
  async publish(entries: readonly OutboxEntry[], hasTargets: boolean): Promise<Published[]> {
    const published = await this.#takeOver(entries.filter(({ place }) => place !== null));
    const taken = new Set(published.map(({ entry }) => entry));
    const others = new Set(
      entries
        .filter((entry) => entry.place !== null && !taken.has(entry))
        .map(({ resourceId }) => resourceId),
    );
    // What comes after an entry that somebody else tells waits for him.
    const fresh = entries.filter(({ place, resourceId }) => place === null && !others.has(resourceId));
    if (!hasTargets) {
      // Before their entries go: nobody would know of them after that.
      await writeAll(
        [],
        fresh.flatMap(({ supersededJobs }) => supersededJobs),
      );
    }
    const numberedNow = await this.#giveNumbers(fresh, hasTargets);
    return [...published, ...numberedNow].toSorted(
      (one, other) => entries.indexOf(one.entry) - entries.indexOf(other.entry),
    );
  }

  /** Unless another one is faster: then he tells the later entries of that resource too. */
  async #takeOver(entries: readonly OutboxEntry[]): Promise<Published[]> {
    const byResource = [...Map.groupBy(entries, ({ resourceId }) => resourceId).values()];
    const taken = await mapLimit(TAKEN_AT_ONCE, byResource, async (its) => {
      const published: Published[] = [];
      for (const entry of its) {
        if (!(await this.#leases.take(entry.key, { mustExist: true }))) {
          break;
        }
        published.push({ entry, events: await readEventsAt(this.#world, Number(entry.place)) });
      }
      return published;
    });
    return taken.flat();
  }

  /** @returns none where one of them, or the next number, has gone to somebody else */
  #giveNumbers(entries: readonly OutboxEntry[], hasTargets: boolean): Promise<Published[]> {
    return numbers.take(scopeOf(this.#world), async (noted) => {
      const beside = entries.filter(({ key }) => this.#leases.isHeldBeside(key));
      const others = new Set(beside.map(({ resourceId }) => resourceId));
      const free = entries.filter(({ resourceId }) => !others.has(resourceId));
      if (free.length === 0) {
        return { next: noted, result: [] };
      }
      const published = numbered(
        this.#world,
        free,
        noted ?? (await nextSequence(this.#world, { mayBeLate: !this.#wasLate })),
      );
      const { lease } = this.#leases;
      const outcome = await commit(
        published.flatMap(({ entry, events }) => [
          insertEvents(this.#world, events, Date.now()),
          hasTargets ? notePublished(entry, Number(events[0]?.place), lease) : removePublished(entry, lease),
        ]),
      );
      this.#wasLate = outcome.kind === 'conflict';
      if (outcome.kind === 'conflict') {
        return { next: null, result: [] };
      }
      for (const { entry } of hasTargets ? published : []) {
        this.#leases.hold(entry.key);
      }
      const last = published.at(-1)?.events.at(-1);
      await this.#noteEnd(Number(last?.place));
      return { next: Number(last?.sequence) + 1, result: published };
    });
  }

  async #noteEnd(place: number): Promise<void> {
    const block = eventBlockOf(place);
    if (block > (this.#world.eventBlock ?? -1)) {
      this.#world = { ...this.#world, eventBlock: block };
      // Only a hint: who publishes next notes it again.
      await noteEventBlock(this.#world, block).catch(() => undefined);
    }
  }
}

/** The type of an event's object follows from the event's type. */
type Typed = DomainEvent<EventType, EventObjectOf<EventType>>;

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
