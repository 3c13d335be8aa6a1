import { randomUUID } from 'node:crypto';
import { DAY_MS, SECOND_MS } from '../../domain/clock.ts';
import { writeOne } from '../table/commit.ts';
import { getItem, update } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { TABLE } from '../table/table.ts';

/** How often within the time of a lease its owner looks which leases have at most half of it left, and renews them. */
const LOOKS = 4;
/** An item that is nothing but a lease is deleted so long after it was taken last. */
const FORGOTTEN_AFTER_MS = 7 * DAY_MS;
/** When a lease ends that is given back. */
const RELEASED = 0;

/** The holders of leases in this process, by owner. */
const HOLDERS = new Map<string, Leases>();

/** The owner of an item, and until when in real time: attributes of the item. */
export interface Lease {
  readonly owner: string;
  readonly leaseEndsAtMs: number;
}

/** The condition that no other owner holds an item, for writes in transactions. */
export function isFree({ owner }: Lease) {
  return {
    condition: 'attribute_not_exists(leaseEndsAtMs) OR leaseEndsAtMs < :now OR #owner = :owner',
    names: { '#owner': 'owner' },
    values: { ':now': Date.now(), ':owner': owner },
  };
}

/**
 * Leases of items that this process works on and others leave alone, renewed until they are released. When the process
 * dies, they run out. Leases save work and keep order; what prevents double effects is the condition of every commit.
 */
export class Leases {
  /** The leases in this process that hold an item, by its key. Tests of several processes in one give each its own. */
  static holders: () => Map<string, Leases> = () => HOLDERS;
  readonly #owner = randomUUID();
  readonly #leaseMs: number;
  readonly #held = new Map<string, { readonly key: Key; endsAtMs: number }>();
  readonly #renewal: NodeJS.Timeout;

  /** @param leaseMs how long after this process has died its items are free again, in milliseconds */
  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
    this.#renewal = setInterval(() => this.#renewSome(), leaseMs / LOOKS).unref();
  }

  /** A lease from now on, for an item that the caller writes itself and then passes to `hold`. */
  get lease(): Lease {
    return { owner: this.#owner, leaseEndsAtMs: Date.now() + this.#leaseMs };
  }

  /** Whether another owner holds an item now. */
  isOthers(lease: Lease | null): boolean {
    return lease !== null && lease.owner !== this.#owner && lease.leaseEndsAtMs >= Date.now();
  }

  /** Whether this process holds an item, by other leases than these. */
  isHeldBeside(key: Key): boolean {
    const holder = Leases.holders().get(nameOf(key));
    return (
      holder !== undefined && holder !== this && Number(holder.#held.get(nameOf(key))?.endsAtMs) >= Date.now()
    );
  }

  hold(key: Key): void {
    this.#held.set(nameOf(key), { key, endsAtMs: Date.now() + this.#leaseMs });
    Leases.holders().set(nameOf(key), this);
  }

  /** @returns false where another owner holds it, or where it must exist and is gone: these leases do not hold it then */
  async take(key: Key, { mustExist }: { readonly mustExist: boolean }): Promise<boolean> {
    return this.#note(key, await this.#write(key, mustExist));
  }

  /** Whether an item is still held: if its lease has run out, it is taken again unless another owner has it. */
  async isHeld(key: Key): Promise<boolean> {
    const held = this.#held.get(nameOf(key));
    return held !== undefined && (Date.now() < held.endsAtMs || this.take(key, { mustExist: true }));
  }

  /** Stops the renewals of an item that is removed. */
  drop(key: Key): void {
    this.#held.delete(nameOf(key));
    if (Leases.holders().get(nameOf(key)) === this) {
      Leases.holders().delete(nameOf(key));
    }
  }

  /** Releases an item. If that fails, the item is free when its lease ends. */
  async release(key: Key): Promise<void> {
    this.drop(key);
    await this.#write(key, true, RELEASED).catch(() => undefined);
  }

  /** Ends the renewals: what is still held is free when its lease ends. */
  close(): void {
    clearInterval(this.#renewal);
    for (const { key } of this.#held.values()) {
      this.drop(key);
    }
  }

  #renewSome(): void {
    const endsUntilMs = Date.now() + this.#leaseMs / 2;
    for (const { key } of [...this.#held.values()].filter(({ endsAtMs }) => endsAtMs <= endsUntilMs)) {
      // If the store does not respond, the next renewal tries again.
      this.#renew(key).then(
        (isRenewed) => this.#held.has(nameOf(key)) && this.#note(key, isRenewed),
        () => undefined,
      );
    }
  }

  #note(key: Key, isHeld: boolean): boolean {
    isHeld ? this.hold(key) : this.drop(key);
    return isHeld;
  }

  /** Only while it is not released: a renewal may arrive after the release that was sent after it. */
  #renew(key: Key): Promise<boolean> {
    const { owner, leaseEndsAtMs } = this.lease;
    return writeOne(
      update(key, 'SET leaseEndsAtMs = :ends', {
        condition: '#owner = :owner AND leaseEndsAtMs > :released',
        names: { '#owner': 'owner' },
        values: { ':owner': owner, ':ends': leaseEndsAtMs, ':released': RELEASED },
      }),
    );
  }

  async #write(key: Key, mustExist: boolean, leaseEndsAtMs = this.lease.leaseEndsAtMs): Promise<boolean> {
    const { condition, names, values } = isFree(this.lease);
    const take = 'SET #owner = :owner, leaseEndsAtMs = :ends';
    if (mustExist) {
      const ifThere = { condition: `attribute_exists(pk) AND (${condition})`, names };
      return writeOne(update(key, take, { ...ifThere, values: { ...values, ':ends': leaseEndsAtMs } }));
    }
    // An item that is a lease alone: whoever is late makes it again for what is gone, and nobody would delete it.
    const ttl = Math.ceil((Date.now() + FORGOTTEN_AFTER_MS) / SECOND_MS);
    return writeOne(
      update(key, `${take}, #ttl = :ttl`, {
        condition,
        names: { ...names, '#ttl': TABLE.ttl },
        values: { ...values, ':ends': leaseEndsAtMs, ':ttl': ttl },
      }),
    );
  }
}

/** Whether any owner holds an item. */
export async function isHeldBySomebody(key: Key): Promise<boolean> {
  const item = await getItem(key);
  return Number(item?.leaseEndsAtMs ?? 0) >= Date.now();
}

function nameOf({ pk, sk }: Key): string {
  return `${pk} ${sk}`;
}
