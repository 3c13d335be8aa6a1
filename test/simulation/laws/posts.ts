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

interface Life {
  hasLeft: boolean;
  /** The process that knows that the receiver has taken it. */
  takenBy?: SimulatedProcess;
}

/** Judges in which order events come to each receiver. */
export class Posts {
  readonly #break: Break;
  /** The published events of each resource, in their order. */
  readonly #events = new Map<string, { readonly id: string; readonly nth: number }[]>();
  readonly #scopes = new Map<string, string>();
  readonly #lives = new Map<string, Life>();
  readonly #flying = new Map<SimulatedProcess, SeenPost[]>();
  readonly #ended = new Set<string>();
  /** How many events were published when a receiver began to be watched. */
  readonly #steady = new Map<string, number>();
  #published = 0;

  constructor(report: Break) {
    this.#break = report;
  }

  /** From now on nothing of a world in an epoch is sent. */
  endScope(scope: string): void {
    this.#ended.add(scope);
  }

  /** From now on a receiver gets every event, in order, and none of them again because somebody asks for it. */
  watch(receiver: string): void {
    this.#steady.set(receiver, this.#published);
  }

  /** Learns which events a commit has published. */
  seeItem(scope: string, before: object | undefined, after: Record<string, unknown> | undefined): void {
    if (after === undefined || before !== undefined || !String(after.pk).includes('#EVENTS#')) {
      return;
    }
    const parts = (after.parts ?? [after]) as readonly PublishedPart[];
    for (const { id, data } of parts) {
      const resourceId = data?.object?.id;
      if (id !== undefined && resourceId !== undefined) {
        this.#scopes.set(id, scope);
        this.#published += 1;
        const earlier = this.#events.get(resourceId) ?? [];
        this.#events.set(resourceId, [...earlier, { id, nth: this.#published }]);
      }
    }
  }

  /** A post is about to leave. */
  begin(post: SeenPost): void {
    const { receiver, eventId, resourceId, process, isFirst } = post;
    if (this.#ended.has(this.#scopes.get(eventId) ?? '')) {
      this.#break('epoch', `${eventId} was sent after its world was purged`);
    }
    const since = this.#steady.get(receiver);
    if (since === undefined || process === undefined) {
      return;
    }
    const events = this.#events.get(resourceId) ?? [];
    const earlier = events.filter(({ nth }) => nth > since).map(({ id }) => id);
    const missing = earlier
      .slice(0, Math.max(earlier.indexOf(eventId), 0))
      .find((id) => !this.#lifeOf(receiver, id).hasLeft);
    if (isFirst && missing !== undefined) {
      this.#break('delivery-order', `${eventId} of ${resourceId} was sent before ${missing}`);
    }
    const own = this.#flying.get(process) ?? [];
    const isBeside = (other: SeenPost) =>
      other.receiver === receiver && other.resourceId === resourceId && other.isFirst;
    if (isFirst && own.some(isBeside)) {
      this.#break('delivery-order', `two events of ${resourceId} were sent at the same time`);
    }
    if (this.#lifeOf(receiver, eventId).takenBy === process) {
      this.#break('delivered-once', `${eventId} was taken, and sent again by the same runner`);
    }
    this.#flying.set(process, [...own, post]);
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
