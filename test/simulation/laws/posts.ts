import type { SimulatedProcess } from '../simulated-time.ts';
import type { Break } from './law.ts';

/** A post that is on its way to a receiver, or has come. */
export interface SeenPost {
  /** What names the receiver: the path of a sink or the address of a shop. */
  readonly receiver: string;
  readonly eventId: string;
  readonly resourceId: string;
  /** The first attempt: later ones have no order. */
  readonly isFirst: boolean;
  readonly process: SimulatedProcess | undefined;
}

/** An endpoint is not told of itself. */
const RESOURCE_ID = /^(pay|ref|pot|lnk)_/;

/** Between a look at the world and the post after it. */
const LOOK_MS = 100;

/** A process that goes on after a freeze notes what it has done by then, and others run what it has noted. */
const NOTED_MS = 60_000;

interface Life {
  hasLeft: boolean;
  /** The process that knows that the receiver has taken it. */
  takenBy?: SimulatedProcess;
}

/** Judges in which order events come to each receiver. */
export class Posts {
  readonly #break: Break;
  /** The published events of each resource, in their order. */
  readonly #events = new Map<string, string[]>();
  /** How many events of each resource were committed, published or not. */
  readonly #committed = new Map<string, number>();
  readonly #scopes = new Map<string, string>();
  readonly #lives = new Map<string, Life>();
  #frozenUntilMs = 0;
  readonly #flying = new Map<SimulatedProcess, SeenPost[]>();
  /** By world: the epochs below this one had ended by then, in real time. */
  readonly #ended = new Map<string, { readonly epoch: number; readonly atMs: number }>();
  /** The first events of their entries. */
  readonly #leading = new Set<string>();
  /** What was committed when a receiver began to be watched: it need not get that. */
  readonly #before = new Map<string, ReadonlyMap<string, number>>();

  constructor(report: Break) {
    this.#break = report;
  }

  /** A process is frozen, in real time. */
  freeze(untilMs: number): void {
    this.#frozenUntilMs = Math.max(this.#frozenUntilMs, untilMs);
  }

  /** From now on nothing of a world before an epoch is sent. */
  endEpochs(worldId: string, epoch: number, atMs: number): void {
    this.#ended.set(worldId, { epoch, atMs });
  }

  /**
   * A receiver gets every event that is committed from now on, in order, and none of them again because somebody asks
   * for it.
   */
  watch(receiver: string): void {
    this.#before.set(receiver, new Map(this.#committed));
  }

  /** From now on a receiver need not get every event, or gets some again. */
  leaveOut(receiver: string): void {
    this.#before.delete(receiver);
  }

  /** At rest, a receiver has been sent every event of a scope. */
  judgeAll(receiver: string, scope: string): void {
    const before = this.#before.get(receiver);
    for (const [resourceId, events] of before === undefined ? [] : this.#events) {
      const missing = events
        .slice(before?.get(resourceId) ?? 0)
        .find((id) => this.#scopes.get(id) === scope && !this.#lifeOf(receiver, id).hasLeft);
      if (missing !== undefined && RESOURCE_ID.test(resourceId)) {
        this.#break('at-least-once', `${missing} of ${resourceId} was never sent to ${receiver}`);
      }
    }
  }

  /** Learns which events were committed, and which were published. */
  seeItem(scope: string, before: object | undefined, after: Record<string, unknown> | undefined): void {
    if (after === undefined || before !== undefined) {
      return;
    }
    if (String(after.pk).includes('#OUTBOX#')) {
      for (const { resourceId } of (after.events ?? []) as readonly { readonly resourceId: string }[]) {
        this.#committed.set(resourceId, (this.#committed.get(resourceId) ?? 0) + 1);
      }
    }
    if (!String(after.pk).includes('#EVENTS#')) {
      return;
    }
    const parts = (after.parts ?? [after]) as readonly PublishedPart[];
    this.#leading.add(String(parts[0]?.id));
    for (const { id, data } of parts) {
      const resourceId = data?.object?.id;
      if (id !== undefined && resourceId !== undefined) {
        this.#scopes.set(id, scope);
        this.#events.set(resourceId, [...(this.#events.get(resourceId) ?? []), id]);
      }
    }
  }

  /** A post is about to leave. */
  begin(post: SeenPost, nowMs: number): void {
    const { receiver, eventId, resourceId, process, isFirst } = post;
    const before = this.#before.get(receiver);
    if (before === undefined || process === undefined) {
      return;
    }
    this.#judgeEpoch(eventId, process, nowMs);
    const events = this.#events.get(resourceId) ?? [];
    const missing = events
      .slice(before.get(resourceId) ?? 0, Math.max(events.indexOf(eventId), 0))
      .find((id) => !this.#lifeOf(receiver, id).hasLeft);
    if (isFirst && missing !== undefined) {
      this.#break('delivery-order', `${eventId} of ${resourceId} was sent before ${missing}`);
    }
    const own = this.#flying.get(process) ?? [];
    const isBeside = (other: SeenPost) =>
      other.receiver === receiver && other.resourceId === resourceId && other.isFirst;
    // What one that was frozen had begun is another runner's by now, and so may be what it goes on with.
    if (isFirst && process.frozenMs === 0 && own.some(isBeside)) {
      this.#break('delivery-order', `two events of ${resourceId} were sent at the same time`);
    }
    // One that was frozen loses what it was about to note to another one, or notes what that one has sent meanwhile as
    // still to be sent: either sends it anew.
    const isNoted = process.frozenMs === 0 && nowMs > this.#frozenUntilMs + NOTED_MS;
    if (isNoted && this.#lifeOf(receiver, eventId).takenBy === process) {
      this.#break('delivered-once', `${eventId} was taken, and sent again by the same runner`);
    }
    this.#flying.set(process, [...own, post]);
  }

  /**
   * A runner looks at the world before it sends the events of an entry: then it may be frozen, and all but the first
   * take a while.
   */
  #judgeEpoch(eventId: string, process: SimulatedProcess, nowMs: number): void {
    const [worldId = '', epoch] = (this.#scopes.get(eventId) ?? '').split('.');
    const ended = this.#ended.get(worldId);
    const isPrompt = process.frozenMs === 0 && this.#leading.has(eventId);
    if (ended && Number(epoch) < ended.epoch && nowMs > ended.atMs + LOOK_MS && isPrompt) {
      this.#break('epoch', `${eventId} was sent ${nowMs - ended.atMs} ms after its world was purged`);
    }
  }

  /** A post has left, whether or not it comes. */
  leave({ receiver, eventId }: SeenPost): void {
    this.#lifeOf(receiver, eventId).hasLeft = true;
  }

  /** The sender of a post goes on, and knows whether the receiver has taken it. */
  end(post: SeenPost, isTaken: boolean): void {
    if (isTaken && post.process !== undefined) {
      this.#lifeOf(post.receiver, post.eventId).takenBy = post.process;
    }
    if (post.process !== undefined) {
      const own = this.#flying.get(post.process) ?? [];
      this.#flying.set(
        post.process,
        own.filter((other) => other !== post),
      );
    }
  }

  #lifeOf(receiver: string, eventId: string): Life {
    const key = `${receiver} ${eventId}`;
    const life = this.#lives.get(key) ?? { hasLeft: false };
    this.#lives.set(key, life);
    return life;
  }
}

interface PublishedPart {
  readonly id?: string;
  readonly data?: { readonly object?: { readonly id?: string } };
}
