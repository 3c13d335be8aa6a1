import { setTimeout as sleep } from 'node:timers/promises';
import { mapLimit } from '../../concurrency/map-limit.ts';
import type { TaskGroup } from '../../concurrency/task-group.ts';
import type { DeliveryTarget } from '../../domain/delivery.ts';
import { type OutboxEntry, readOutboxAround, readOutboxOf } from '../../store/events/outbox.ts';
import type { StoredWorld } from '../../store/worlds/world.ts';
import { inTrace } from '../../telemetry/spans.ts';
import type { AttemptOptions } from './attempt-delivery.ts';
import { AttemptRecorder, type RecordOptions } from './attempt-recorder.ts';
import { readDeliveryTargets } from './delivery-targets.ts';
import { EntryAttempts } from './entry-attempts.ts';
import { KnownEndpoints } from './known-endpoints.ts';
import { type PublishedEntry, Publisher } from './publisher.ts';

/** DynamoDB allows 100 writes in one transaction; an entry takes two: its events, and what becomes of it. */
const PUBLISHED_AT_ONCE = 50;
const READ_AT_ONCE = 16;
/** An entry is held from its publication until its attempts are recorded, and each held entry costs lease renewals. */
const UNRECORDED_MAX = 200;
/** How often an entry that another runner holds is checked. */
const HELD_POLL_MS = 100;

export interface DispatchOptions extends AttemptOptions, Omit<RecordOptions, 'onEntries' | 'onLost'> {
  /** The base URL of this service, and so of its sinks. */
  readonly baseUrl: string;
  /** Until this instant of real time it waits for entries that another runner holds. */
  readonly deadlineMs: number;
  /** Whether it waits until other runners have dispatched their entries; otherwise it waits only for what must come first. */
  readonly waitsForOthers?: boolean;
  /** Holds the work that goes on beside the jobs; its owner waits for it. */
  readonly tasks: TaskGroup;
  /** Once it is aborted, no further entry is started. Another runner dispatches the rest when the leases run out. */
  readonly signal?: AbortSignal;
}

/**
 * Dispatches outbox entries: their events get sequence numbers, and each subscribed endpoint gets one attempt. An entry
 * leaves the outbox when every endpoint has responded or the rest is queued, so a crash in between loses nothing. Entries
 * of one resource are dispatched in order, those of different resources side by side.
 *
 * This class keeps the order; `EntryAttempts` makes the attempts, `AttemptRecorder` writes their results.
 */
export class Dispatcher {
  readonly #world: StoredWorld;
  readonly #options: DispatchOptions;
  readonly #publisher: Publisher;
  readonly #attempts: EntryAttempts;
  readonly #recorder: AttemptRecorder;
  /** Entries that wait here, or were published from here. */
  readonly #known = new Set<string>();
  #waiting: OutboxEntry[] = [];
  readonly #published = new Set<string>();
  readonly #unrecorded = new Set<Promise<void>>();
  #isPublishing = false;
  /** Whether the store has failed: what was added before is left to another runner, and nothing may overtake it. */
  #hasFailed = false;
  #targets: Promise<readonly DeliveryTarget[]> | null = null;
  /** By resource: resolves when its entries so far are dispatched. */
  readonly #lanes = new Map<string, Promise<void>>();
  /** Resources of which another runner has taken over an entry: it dispatches the later ones too. */
  readonly #lost = new Set<string>();

  constructor(world: StoredWorld, options: DispatchOptions) {
    const endpoints = new KnownEndpoints(world);
    this.#world = world;
    this.#options = options;
    this.#publisher = new Publisher(world, options.leases);
    this.#attempts = new EntryAttempts(world, endpoints, options);
    this.#recorder = new AttemptRecorder(world, endpoints, {
      ...options,
      onEntries: (entries) => this.add(entries),
      onLost: ({ resourceId }) => this.#lost.add(resourceId),
    });
  }

  /** Dispatches entries that were just written, with those of their resources that another runner has left. */
  async dispatch(written: readonly OutboxEntry[]): Promise<void> {
    this.add(await readOutboxAround(this.#world, written));
  }

  /** @param entries all entries of their resources, in order; those that were added before are left out */
  add(entries: readonly OutboxEntry[]): void {
    const added = entries.filter(({ key }) => !this.#known.has(key.sk));
    for (const { key } of added) {
      this.#known.add(key.sk);
    }
    this.#waiting.push(...added);
    if (!this.#isPublishing && !this.#hasFailed && added.length > 0) {
      this.#options.tasks.add(this.#publishAll());
    }
  }

  async #publishAll(): Promise<void> {
    this.#isPublishing = true;
    try {
      while (this.#waiting.length > 0 && !this.#options.signal?.aborted) {
        const ready = this.#unrecorded.size < UNRECORDED_MAX ? this.#takeReady() : [];
        if (this.#unrecorded.size >= UNRECORDED_MAX) {
          await Promise.race(this.#unrecorded);
        } else if (ready.length > 0) {
          await this.#publish(ready);
        } else if (Date.now() >= this.#options.deadlineMs) {
          // Left to the runners that hold them, and to the clock.
          this.#waiting = [];
        } else {
          await sleep(HELD_POLL_MS);
          await this.#requeue(this.#waiting.splice(0));
        }
      }
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      this.#isPublishing = false;
    }
  }

  /** The first entries that no other runner holds, and no earlier entry of their resource either. */
  #takeReady(): OutboxEntry[] {
    const isHeld = ({ lease }: OutboxEntry) => this.#options.leases.isOthers(lease);
    if (!this.#options.waitsForOthers) {
      const byResource = Map.groupBy(this.#waiting, ({ resourceId }) => resourceId);
      this.#leave([...byResource.values()].filter((its) => its.every(isHeld)).flat());
    }
    const blocked = new Set(this.#waiting.filter(isHeld).map(({ resourceId }) => resourceId));
    const ready = this.#waiting.filter(({ resourceId }) => !blocked.has(resourceId));
    const taken = new Set(ready.slice(0, PUBLISHED_AT_ONCE));
    this.#waiting = this.#waiting.filter((entry) => !taken.has(entry));
    return [...taken];
  }

  /** Leaves entries to the runners that hold them. */
  #leave(entries: readonly OutboxEntry[]): void {
    const left = new Set(entries);
    this.#waiting = this.#waiting.filter((entry) => !left.has(entry));
    for (const { key } of entries) {
      this.#known.delete(key.sk);
    }
  }

  /** Publishes entries and begins their attempts. Entries that another runner published first wait again. */
  async #publish(entries: readonly OutboxEntry[]): Promise<void> {
    const hasTargets = (await this.#readTargets()).length > 0;
    const published = await this.#publisher.publish(entries, hasTargets);
    for (const one of published) {
      this.#published.add(one.entry.key.sk);
      if (one.isHeld) {
        this.#attemptInOrder(one);
      }
    }
    await this.#requeue(entries.filter(({ key }) => !this.#published.has(key.sk)));
  }

  /** Lets entries wait again, as they are now, before entries of their resources that were added meanwhile. */
  async #requeue(entries: readonly OutboxEntry[]): Promise<void> {
    const ids = [...new Set(entries.map(({ resourceId }) => resourceId))];
    const found = await mapLimit(READ_AT_ONCE, ids, (id) => readOutboxOf(this.#world, id));
    const again = found.flat().filter(({ key }) => !this.#published.has(key.sk));
    for (const { key } of again) {
      this.#known.add(key.sk);
    }
    const keys = new Set(again.map(({ key }) => key.sk));
    this.#waiting = [...again, ...this.#waiting.filter(({ key }) => !keys.has(key.sk))];
  }

  #attemptInOrder(one: PublishedEntry): void {
    const { resourceId } = one.entry;
    const lane = Promise.resolve(this.#lanes.get(resourceId)).then(() => this.#attempt(one));
    this.#lanes.set(resourceId, lane);
    const ended = lane.catch(() => undefined).finally(() => this.#unrecorded.delete(ended));
    this.#unrecorded.add(ended);
    this.#options.tasks.add(lane);
  }

  async #attempt(published: PublishedEntry): Promise<void> {
    const { entry } = published;
    const targets = await this.#readTargets();
    if (this.#options.signal?.aborted) {
      return;
    }
    if (this.#lost.has(entry.resourceId)) {
      await this.#options.leases.release(entry.key);
      return;
    }
    const attempted = await inTrace(entry.trace, () => this.#attempts.make(published, targets));
    if (attempted !== null && !this.#options.signal?.aborted) {
      await this.#recorder.record(attempted);
    }
  }

  #readTargets(): Promise<readonly DeliveryTarget[]> {
    this.#targets ??= readDeliveryTargets(this.#world, this.#options.baseUrl);
    return this.#targets;
  }
}
