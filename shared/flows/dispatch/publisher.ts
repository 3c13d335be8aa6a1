import { KeyedMutex } from '../../concurrency/keyed-mutex.ts';
import { mapLimit } from '../../concurrency/map-limit.ts';
import { type EventObjectOf, eventBody } from '../../contract/events.ts';
import type { DomainEvent } from '../../domain/event.ts';
import { derivedId } from '../../domain/id.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import type { EventType } from '../../domain/resource.ts';
import type { World } from '../../domain/world.ts';
import {
  insertEvents,
  nextSequence,
  noteEventBlock,
  readEventsOfEntry,
} from '../../store/events/event-log.ts';
import {
  forgetSequence,
  noteSequence,
  type OutboxEntry,
  removePublished,
} from '../../store/events/outbox.ts';
import type { Leases } from '../../store/scheduler/lease.ts';
import { commit, writeOne } from '../../store/table/commit.ts';
import { eventBlockOf, scopeOf } from '../../store/table/keys.ts';
import { writeAll } from '../../store/table/write-all.ts';
import type { StoredWorld } from '../../store/worlds/world.ts';

const TAKEN_AT_ONCE = 16;

/** An entry whose events have sequence numbers. */
export interface PublishedEntry {
  readonly entry: OutboxEntry;
  readonly events: readonly PublishedEvent[];
  /** Whether it is in the outbox still, held, until its attempts are recorded. */
  readonly isHeld: boolean;
}

/** By scope: the next sequence number. Without the mutex, publishers of one process would conflict on it. */
const numbers = new KeyedMutex<number>();

/** Gives the events of a world's outbox their sequence numbers, and so their ids and bodies. */
export class Publisher {
  #world: StoredWorld;
  /** Whether the last number that was read was already taken. */
  #wasLate = false;
  readonly #leases: Leases;

  constructor(world: StoredWorld, leases: Leases) {
    this.#world = world;
    this.#leases = leases;
  }

  /**
   * Publishes the unpublished entries, all or none. Takes over entries that another runner numbered but did not finish
   * dispatching.
   * @param hasTargets whether any delivery target exists: without one, several entries leave the outbox at once
   * @returns entries that are now published, and held or removed, in the order of `entries`; read the others again
   */
  async publish(entries: readonly OutboxEntry[], hasTargets: boolean): Promise<PublishedEntry[]> {
    const published = await this.#takeOver(entries.filter(({ firstSequence }) => firstSequence !== null));
    const taken = new Set(published.map(({ entry }) => entry));
    const others = new Set(
      entries
        .filter((entry) => entry.firstSequence !== null && !taken.has(entry))
        .map(({ resourceId }) => resourceId),
    );
    // Entries of a resource wait while another runner dispatches an earlier entry of that resource.
    const fresh = entries.filter(
      ({ firstSequence, resourceId }) => firstSequence === null && !others.has(resourceId),
    );
    const numberedNow = fresh.length === 0 ? [] : await this.#giveNumbers(fresh, hasTargets);
    return [...published, ...numberedNow].toSorted(
      (one, other) => entries.indexOf(one.entry) - entries.indexOf(other.entry),
    );
  }

  /** If another runner takes an entry over first, it also dispatches the later entries of that resource. */
  async #takeOver(entries: readonly OutboxEntry[]): Promise<PublishedEntry[]> {
    const byResource = [...Map.groupBy(entries, ({ resourceId }) => resourceId).values()];
    const taken = await mapLimit(TAKEN_AT_ONCE, byResource, async (its) => {
      const published: PublishedEntry[] = [];
      for (const entry of its) {
        const isTaken = await this.#leases.take(entry.key, { mustExist: true });
        const events = isTaken ? await this.#storeEvents(entry) : null;
        if (events === null) {
          break;
        }
        published.push({ entry, events, isHeld: true });
      }
      return published;
    });
    return taken.flat();
  }

  /** @returns none if another runner has taken one of them, or the next number */
  #giveNumbers(entries: readonly OutboxEntry[], hasTargets: boolean): Promise<PublishedEntry[]> {
    return numbers.take(scopeOf(this.#world), async (noted) => {
      const beside = entries.filter(({ key }) => this.#leases.isHeldBeside(key));
      const others = new Set(beside.map(({ resourceId }) => resourceId));
      const free = entries.filter(({ resourceId }) => !others.has(resourceId));
      const [first] = free;
      if (first === undefined) {
        return { next: noted, result: [] };
      }
      const next = noted ?? (await nextSequence(this.#world, { mayBeLate: !this.#wasLate }));
      const published = await (free.length === 1
        ? this.#publishAlone(first, next)
        : this.#publishTogether(free, next, hasTargets));
      this.#wasLate = published.length === 0;
      if (this.#wasLate) {
        return { next: null, result: [] };
      }
      const last = published.at(-1)?.events.at(-1);
      await this.#noteEnd(Number(last?.firstSequence));
      return { next: Number(last?.sequence) + 1, result: published };
    });
  }

  /**
   * Publishes one entry in two writes, which cost half as much as a transaction: the number is noted in the entry first,
   * so that a runner that takes over finds its events there, or stores them.
   */
  async #publishAlone(entry: OutboxEntry, firstSequence: number): Promise<PublishedEntry[]> {
    if (!(await writeOne(noteSequence(entry, firstSequence, this.#leases.lease), 'number entry'))) {
      return [];
    }
    this.#leases.hold(entry.key);
    const events = await this.#storeEvents({ ...entry, firstSequence });
    return events === null ? [] : [{ entry, events, isHeld: true }];
  }

  /**
   * Stores the events of an entry that this runner holds at the number that is noted in it, unless they are there.
   * @returns null where it has to be read again: the number is another's by now, or the entry is
   */
  async #storeEvents(entry: OutboxEntry): Promise<readonly PublishedEvent[] | null> {
    const [numberedNow] = numbered(this.#world, [entry], Number(entry.firstSequence));
    const events = numberedNow?.events ?? [];
    if (await writeOne(insertEvents(this.#world, events, Date.now(), entry.key.sk), 'publish entry')) {
      return events;
    }
    const stored = await readEventsOfEntry(this.#world, Number(entry.firstSequence), entry.key.sk);
    if (stored === null) {
      await writeOne(forgetSequence(entry, this.#leases.lease));
      return null;
    }
    // They may be another runner's work, which has taken this entry over while this one stalled.
    return (await this.#leases.isHeld(entry.key)) ? stored : null;
  }

  /** Publishes entries in one transaction: all or none. */
  async #publishTogether(
    entries: readonly OutboxEntry[],
    firstSequence: number,
    hasTargets: boolean,
  ): Promise<PublishedEntry[]> {
    if (!hasTargets) {
      // Before the entries are removed, since only they name these jobs.
      await writeAll(
        [],
        entries.flatMap(({ supersededJobs }) => supersededJobs),
      );
    }
    const published = numbered(this.#world, entries, firstSequence);
    const { lease } = this.#leases;
    const outcome = await commit(
      published.flatMap(({ entry, events }) => [
        insertEvents(this.#world, events, Date.now(), entry.key.sk),
        hasTargets
          ? noteSequence(entry, Number(events[0]?.firstSequence), lease)
          : removePublished(entry, lease),
      ]),
    );
    if (outcome.kind === 'conflict') {
      return [];
    }
    for (const { entry } of published) {
      hasTargets ? this.#leases.hold(entry.key) : this.#leases.drop(entry.key);
    }
    return published.map((one) => ({ ...one, isHeld: hasTargets }));
  }

  async #noteEnd(firstSequence: number): Promise<void> {
    const block = eventBlockOf(firstSequence);
    if (block > (this.#world.eventBlock ?? -1)) {
      this.#world = { ...this.#world, eventBlock: block };
      // Only a hint: the next publication writes it again.
      await noteEventBlock(this.#world, block).catch(() => undefined);
    }
  }
}

function numbered(
  world: World,
  entries: readonly OutboxEntry[],
  first: number,
): Omit<PublishedEntry, 'isHeld'>[] {
  let firstSequence = first;
  return entries.map((entry) => {
    const events = entry.events.map((event, nth) => {
      const { type, resourceId, occurredAtMs } = event;
      const sequence = firstSequence + nth;
      // Derived, so that an event that gets its number again, on a restored table, gets its id again too.
      const id = derivedId('evt', occurredAtMs, `${entry.key.pk} ${entry.key.sk} ${nth}`, sequence);
      // The type of an event's object follows from the event's type.
      const typed = event as DomainEvent<EventType, EventObjectOf<EventType>>;
      const body = eventBody(world, typed, id, sequence);
      return {
        id,
        type,
        resourceId,
        sequence,
        firstSequence,
        body,
        ...(entry.trace && { trace: entry.trace }),
      };
    });
    firstSequence += events.length;
    return { entry, events };
  });
}
