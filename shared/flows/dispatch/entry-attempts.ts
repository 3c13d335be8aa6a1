import { Batcher } from '../../concurrency/batcher.ts';
import { Semaphore } from '../../concurrency/semaphore.ts';
import type { DeliveryTarget } from '../../domain/delivery.ts';
import { isSubscribed } from '../../domain/endpoint.ts';
import type { PublishedEvent } from '../../domain/published-event.ts';
import type { World } from '../../domain/world.ts';
import type { OutboxEntry } from '../../store/events/outbox.ts';
import { findWorld, type StoredWorld } from '../../store/worlds/world.ts';
import { type AttemptOptions, type AttemptOutcome, attemptDelivery } from './attempt-delivery.ts';
import type { KnownEndpoints } from './known-endpoints.ts';
import type { PublishedEntry } from './publisher.ts';

const CHECKED_AT_ONCE = 1_000;
const POSTS_AT_ONCE_PER_TARGET = 16;

/** The results of the first attempts to deliver the events of an entry, for each subscribed endpoint. */
export interface AttemptedEntry {
  readonly entry: OutboxEntry;
  readonly outcomes: readonly AttemptOutcome[];
  /** When its events happened, on the merchant's clock. */
  readonly nowMs: number;
}

/** Makes the first attempts for published entries. An endpoint with a backlog gets none: its events are queued. */
export class EntryAttempts {
  readonly #world: World;
  readonly #endpoints: KnownEndpoints;
  readonly #options: AttemptOptions;
  readonly #semaphores = new Map<string, Semaphore>();
  /** The world as it is now: read once for all entries that need it at the same time. */
  readonly #worlds = new Batcher<null, StoredWorld | null>(CHECKED_AT_ONCE, () => findWorld(this.#world.id));

  constructor(world: World, endpoints: KnownEndpoints, options: AttemptOptions) {
    this.#world = world;
    this.#endpoints = endpoints;
    this.#options = options;
  }

  /** @returns null after a purge: nothing is sent then */
  async make(
    { entry, events }: PublishedEntry,
    targets: readonly DeliveryTarget[],
  ): Promise<AttemptedEntry | null> {
    const world = await this.#worlds.add(null);
    if (world?.epoch !== this.#world.epoch) {
      return null;
    }
    const unfinished = this.#endpoints.current(targets).filter(({ id }) => !entry.finished.has(id));
    const nowMs = Math.max(...entry.events.map(({ occurredAtMs }) => occurredAtMs));
    const outcomes = await Promise.all(
      subscribedEvents(unfinished, events).map(([target, subscribed]) =>
        world.backloggedEndpoints.has(target.id)
          ? { target, attempts: [], queued: subscribed }
          : attemptDelivery(world, target, subscribed, this.#options, this.#semaphoreOf(target), nowMs),
      ),
    );
    return { entry, outcomes, nowMs };
  }

  #semaphoreOf({ id }: DeliveryTarget): Semaphore {
    const semaphore = this.#semaphores.get(id) ?? new Semaphore(POSTS_AT_ONCE_PER_TARGET);
    this.#semaphores.set(id, semaphore);
    return semaphore;
  }
}

/** The targets that subscribe to some of these events, with those events. */
function subscribedEvents(targets: readonly DeliveryTarget[], events: readonly PublishedEvent[]) {
  return targets
    .map((target) => [target, events.filter((event) => isSubscribed(target.endpoint, event))] as const)
    .filter(([, subscribed]) => subscribed.length > 0);
}
