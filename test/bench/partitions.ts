import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { accessesOf } from '../../infra/local/guard.ts';
import { INDEXES, TABLE } from '../../shared/store/table/table.ts';
import type { Call } from './meter.ts';

/* Where the reads and writes of payments meet: by the calls of a service, and by the records of the table's stream. */

/** Partitions of one kind: their keys are alike but for ids and numbers. */
export interface PartitionKind {
  readonly name: string;
  readonly unit: 'read' | 'write';
  readonly units: number;
  readonly keys: ReadonlySet<string>;
  /** Over how many of them units are spread at a time: shards stand beside one another, blocks follow one another. */
  readonly atOnce: number;
}

const UNIT_BYTES = 1_024;
const TRANSACTION_FACTOR = 2;

type StoredItem = Readonly<Record<string, AttributeValue>>;

interface Use {
  readonly source: string;
  readonly pk: string;
  readonly unit: PartitionKind['unit'];
  readonly units: number;
}

/** Sorts calls and stream records by partition. It remembers every item, so it must see the stream from the start. */
export class PartitionLedger {
  readonly #items = new Map<string, StoredItem>();
  #uses: Use[] = [];
  #isWatching = false;

  /** Forgets what was used so far: from now on, it counts. */
  begin(): void {
    this.#uses = [];
    this.#isWatching = true;
  }

  /**
   * Adds a piece of what has happened.
   * @param records those of the stream for the calls
   */
  add(calls: readonly Call[], records: readonly DynamoDBRecord[]): void {
    const ways = waysOfWriting(calls);
    for (const { dynamodb } of records) {
      const key = nameOf(dynamodb?.Keys ?? {});
      const [before, after] = [this.#items.get(key), dynamodb?.NewImage];
      const isTransaction = ways.get(key)?.shift() ?? false;
      if (after === undefined) {
        this.#items.delete(key);
      } else {
        this.#items.set(key, after);
      }
      if (this.#isWatching) {
        this.#uses.push(...usesOfWrite(before, after, isTransaction));
      }
    }
    if (this.#isWatching) {
      this.#uses.push(...calls.filter(({ readUnits }) => readUnits > 0).flatMap(usesOfRead));
    }
  }

  kinds(): PartitionKind[] {
    const byKind = Map.groupBy(this.#uses, ({ source, pk, unit }) => `${unit} ${source}: ${kindOf(pk)}`);
    return [...byKind.values()].map((uses) => {
      const { source, pk, unit } = uses[0] as Use;
      return {
        name: `${source === 'table' ? '' : `index ${source}, `}\`${kindOf(pk)}\``,
        unit,
        units: uses.reduce((sum, { units }) => sum + units, 0),
        keys: new Set(uses.map((one) => one.pk)),
        atOnce: aliveAtOnce(uses.map((one) => one.pk)),
      };
    });
  }
}

function operationOf({ headers }: Call): string {
  return String(headers['x-amz-target']).split('.')[1] ?? '';
}

/** For each item, in order, whether it was written in a transaction. */
function waysOfWriting(calls: readonly Call[]): Map<string, boolean[]> {
  const ways = new Map<string, boolean[]>();
  const written = (item: StoredItem | undefined, isTransaction: boolean) => {
    const name = nameOf(item ?? {});
    ways.set(name, [...(ways.get(name) ?? []), isTransaction]);
  };
  for (const call of calls.filter(({ writeUnits }) => writeUnits > 0)) {
    const { TransactItems = [], ...single } = JSON.parse(call.body) as {
      readonly Item?: StoredItem;
      readonly Key?: StoredItem;
      readonly TransactItems?: readonly Readonly<
        Record<string, { readonly Item?: StoredItem; readonly Key?: StoredItem }>
      >[];
    };
    for (const each of TransactItems.flatMap((one) => Object.values(one))) {
      written(each.Item ?? each.Key, true);
    }
    const item = single.Item ?? single.Key;
    if (item !== undefined) {
      written(item, false);
    }
  }
  return ways;
}

/** An index's entry is its keys alone: one unit for each that begins or ends, and none where it stays as it is. */
function usesOfWrite(
  before: StoredItem | undefined,
  after: StoredItem | undefined,
  isTransaction: boolean,
): Use[] {
  const unit = 'write';
  const units = Math.max(unitsOf(before), unitsOf(after)) * (isTransaction ? TRANSACTION_FACTOR : 1);
  const uses: Use[] = [{ source: 'table', pk: textOf((after ?? before)?.[TABLE.partitionKey]), unit, units }];
  for (const [source, { partitionKey, sortKey }] of Object.entries(INDEXES)) {
    const [left, come] = [before, after].map((item) => [item?.[partitionKey], item?.[sortKey]].map(textOf));
    if (left?.join() !== come?.join()) {
      const pks = [left?.[0] ?? '', come?.[0] ?? ''].filter((pk) => pk !== '');
      uses.push(...pks.map((pk) => ({ source, pk, unit, units: 1 }) as const));
    }
  }
  return uses;
}

function usesOfRead(call: Call): Use[] {
  const accesses = accessesOf(operationOf(call), JSON.parse(call.body));
  const count = accesses.reduce((sum, { keys }) => sum + keys.length, 0);
  return accesses.flatMap(({ on, keys }) =>
    keys.map((pk) => ({ source: on, pk, unit: 'read', units: call.readUnits / count }) as const),
  );
}

function nameOf(key: StoredItem): string {
  return `${textOf(key[TABLE.partitionKey])}|${textOf(key[TABLE.sortKey])}`;
}

function textOf(value: AttributeValue | undefined): string {
  return value?.S ?? '';
}

function unitsOf(item: StoredItem | undefined): number {
  return item === undefined ? 0 : Math.max(1, Math.ceil(bytesOf({ M: item }) / UNIT_BYTES));
}

/** About as DynamoDB counts them. */
function bytesOf({ S, N, B, M, L }: AttributeValue): number {
  if (M !== undefined) {
    return Object.entries(M).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
  }
  if (L !== undefined) {
    return L.reduce((sum, value) => sum + 1 + bytesOf(value), 0);
  }
  return B !== undefined
    ? (B.length * 3) / 4
    : N !== undefined
      ? N.length / 2 + 1
      : Buffer.byteLength(S ?? '1');
}

/** Words of a key stay; ids, numbers and hashes are what distinguishes the keys of a kind. */
function kindOf(pk: string): string {
  const parts = pk.replace(/^[0-9a-f]{16}\.\d+#/, '').split('#');
  return parts.map((part) => (/^[A-Z-]+$/.test(part) ? part : '*')).join('#');
}

/** How many keys are between their first use and their last, on average of the middle half of all uses. */
function aliveAtOnce(pks: readonly string[]): number {
  const spans = new Map<string, { first: number; last: number }>();
  for (const [source, pk] of pks.entries()) {
    spans.set(pk, { first: spans.get(pk)?.first ?? source, last: source });
  }
  const [from, until] = [Math.floor(pks.length / 4), Math.ceil((3 * pks.length) / 4)];
  const alive = [...spans.values()].reduce(
    (sum, { first, last }) => sum + Math.max(0, Math.min(last + 1, until) - Math.max(first, from)),
    0,
  );
  return alive / (until - from);
}
