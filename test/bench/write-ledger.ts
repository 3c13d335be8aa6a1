import type { Item } from '../../shared/store/item.ts';
import type { Key } from '../../shared/store/keys.ts';
import { INDEXES, type IndexName } from '../../shared/store/table.ts';
import { storedBytes } from '../support/stored-bytes.ts';
import { type Commit, nameOf } from './payment-life.ts';

export type Place = 'table' | IndexName;
export const PLACES: readonly Place[] = ['table', 'newest', 'related', 'due'];

/** One write of one partition of the table or of an index, as DynamoDB counts it. */
export interface Write {
  readonly place: Place;
  readonly pk: string;
  readonly atMs: number;
  /** Counted where it is asked for: measuring an item takes longer than all else. */
  readonly units: () => number;
}

const UNIT_BYTES = 1_024;
const INDEX_NAMES = Object.keys(INDEXES) as IndexName[];

/** Tells what commits write where: it remembers what was put, for an end of it costs as much and leaves indexes too. */
export class WriteLedger {
  readonly #items = new Map<string, Key & Item>();

  *writesOf({ atMs, changes, isTransaction }: Commit): Generator<Write> {
    for (const change of changes) {
      const key =
        'put' in change ? change.put.item : 'update' in change ? change.update.key : change.remove.key;
      const name = nameOf(key);
      const before = this.#items.get(name);
      // An update sets values that no index knows.
      const after =
        'put' in change
          ? change.put.item
          : 'update' in change
            ? before && { ...before, ...change.update.values }
            : undefined;
      const units = () => Math.max(unitsOf(before), unitsOf(after)) * (isTransaction ? 2 : 1);
      yield { place: 'table', pk: key.pk, atMs, units };
      for (const place of INDEX_NAMES) {
        const pks = entriesOf(place, before, after);
        yield* pks.map((pk) => ({ place, pk, atMs, units: oneUnit }));
      }
      if (after === undefined) {
        this.#items.delete(name);
      } else {
        this.#items.set(name, after);
      }
    }
  }
}

/** The partitions of an index that a change of an item writes: an entry that stays as it is costs nothing. */
function entriesOf(index: IndexName, before: Item | undefined, after: Item | undefined): string[] {
  const { partitionKey, sortKey } = INDEXES[index];
  const isSame = before?.[partitionKey] === after?.[partitionKey] && before?.[sortKey] === after?.[sortKey];
  const pks = isSame ? [] : [before?.[partitionKey], after?.[partitionKey]];
  return pks.filter((pk) => typeof pk === 'string');
}

function oneUnit(): number {
  return 1;
}

/** An item that is not known is one of the small ones that are only counted in. */
function unitsOf(item: Item | undefined): number {
  return item === undefined ? 1 : Math.ceil(storedBytes(item) / UNIT_BYTES);
}

/** What kind of partition a key names: all that tells one from another of its kind is left out. */
export function kindOf(pk: string): string {
  return pk
    .replace(/^[0-9a-f]{16}\.\d+#/, '')
    .replace(/^(WORLD|KEY)#[0-9a-f]+$/, '$1')
    .replace(/^ONCE#.*/, 'ONCE')
    .replace(/#([a-z]{3}_[0-9a-z]{26}|[0-9a-f]{64}|\d+)/g, '');
}
