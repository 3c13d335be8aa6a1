import type { KeyRange } from './expressions.ts';
import { type ModelItem, orderOf } from './values.ts';

/** By its sort key, and by what makes it the only one after that. */
export type SortOrder = readonly [sortKey: string, ...rest: readonly string[]];

/** An item, or what an index has of it. */
export interface TableEntry {
  readonly order: SortOrder;
  readonly item: ModelItem;
  readonly bytes: number;
}

/** The entries of a table or an index by their partition key, in the order of their sort keys. */
export class Partitions {
  readonly #partitions = new Map<string, TableEntry[]>();

  find(pk: string, order: SortOrder): TableEntry | undefined {
    const partition = this.#of(pk);
    const entry = partition[countBefore(partition, order)];
    return entry !== undefined && isAt(order, entry) ? entry : undefined;
  }

  put(pk: string, entry: TableEntry): void {
    const partition = this.#of(pk);
    this.#partitions.set(pk, partition);
    const index = countBefore(partition, entry.order);
    const found = partition[index];
    partition.splice(index, found !== undefined && isAt(entry.order, found) ? 1 : 0, entry);
  }

  remove(pk: string, order: SortOrder): void {
    const partition = this.#of(pk);
    const index = countBefore(partition, order);
    const found = partition[index];
    if (found !== undefined && isAt(order, found)) {
      partition.splice(index, 1);
    }
  }

  /**
   * The first entries of a range, or, backward, the last ones.
   * @param start the order that the last page ended with, whether something still has it or not
   */
  range(
    { pk, isBefore, isAfter }: KeyRange,
    { isForward, start, limit }: { isForward: boolean; start: SortOrder | null; limit: number },
  ): readonly TableEntry[] {
    const partition = this.#of(pk);
    let from = countWhile(partition, ({ order: [sk] }) => isBefore(sk));
    let end = countWhile(partition, ({ order: [sk] }) => !isAfter(sk));
    if (isForward) {
      const past = start && countWhile(partition, ({ order }) => compareOrders(order, start) <= 0);
      from = Math.max(from, past ?? 0);
      return partition.slice(from, Math.min(end, from + limit));
    }
    end = Math.min(end, start === null ? end : countBefore(partition, start));
    return partition.slice(Math.max(from, end - limit), end).reverse();
  }

  has(pk: string): boolean {
    return this.#of(pk).length > 0;
  }

  /** Whether a partition begins with a sort key that is not after a text. */
  hasUntil(text: string): boolean {
    for (const [first] of this.#partitions.values()) {
      if (first !== undefined && first.order[0] <= text) {
        return true;
      }
    }
    return false;
  }

  *all(): Generator<TableEntry> {
    for (const pk of [...this.#partitions.keys()].toSorted()) {
      yield* this.#of(pk);
    }
  }

  #of(pk: string): TableEntry[] {
    return this.#partitions.get(pk) ?? [];
  }
}

function isAt(order: SortOrder, entry: TableEntry): boolean {
  return compareOrders(entry.order, order) === 0;
}

function countBefore(partition: readonly TableEntry[], order: SortOrder): number {
  return countWhile(partition, (entry) => compareOrders(entry.order, order) < 0);
}

/** How many entries a partition begins with that something is true of: it is of no entry after them. */
function countWhile(partition: readonly TableEntry[], isTrue: (entry: TableEntry) => boolean): number {
  let [low, high] = [0, partition.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isTrue(partition[middle] as TableEntry)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function compareOrders(left: SortOrder, right: SortOrder): number {
  for (let index = 0; index < left.length; index += 1) {
    const order = orderOf(String(left[index]), String(right[index]));
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}
