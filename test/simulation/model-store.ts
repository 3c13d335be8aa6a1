import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { INDEXES, type IndexName } from '../../shared/store/table/table.ts';
import { changeOf, type ModelItem, type Names, orderOf, predicateOf, type Value } from './expressions.ts';

/** What one write made of an item, in the order in which the table's stream has it. */
export interface StreamChange {
  readonly before: ModelItem | undefined;
  readonly after: ModelItem | undefined;
}

/** An operation on the table, with plain values, as the document client takes it. */
export interface StoreCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A page of a query ends before it is larger than this. */
const PAGE_MAX_BYTES = 1_048_576;
/** So long is a transaction known by its token, in milliseconds. */
const TOKEN_LIVES_MS = 600_000;
const METADATA = { $metadata: {} };

interface Write {
  readonly verb: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  readonly pk: string;
  readonly sk: string;
  readonly given: Names;
  readonly condition: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Items by a partition key, each partition in the order of its sort keys. */
class Partitions<Entry extends { readonly order: readonly string[] }> {
  readonly #partitions = new Map<string, Entry[]>();

  of(pk: string): readonly Entry[] {
    return this.#partitions.get(pk) ?? [];
  }

  find(pk: string, order: readonly string[]): Entry | undefined {
    const partition = this.of(pk);
    const entry = partition[placeOf(partition, order)];
    return entry !== undefined && compareOrders(entry.order, order) === 0 ? entry : undefined;
  }

  put(pk: string, entry: Entry): void {
    const partition = this.#partitions.get(pk) ?? [];
    this.#partitions.set(pk, partition);
    const at = placeOf(partition, entry.order);
    const found = partition[at];
    const isThere = found !== undefined && compareOrders(found.order, entry.order) === 0;
    partition.splice(at, isThere ? 1 : 0, entry);
  }

  remove(pk: string, order: readonly string[]): void {
    const partition = this.#partitions.get(pk) ?? [];
    const at = placeOf(partition, order);
    const found = partition[at];
    if (found !== undefined && compareOrders(found.order, order) === 0) {
      partition.splice(at, 1);
    }
  }

  hasUntil(text: string): boolean {
    return [...this.#partitions.values()].some(
      ([first]) => first !== undefined && String(first.order[0]) <= text,
    );
  }

  *all(): Generator<Entry> {
    for (const pk of [...this.#partitions.keys()].toSorted()) {
      yield* this.of(pk);
    }
  }
}

/** The first place whose entry does not come before. */
function placeOf(
  partition: readonly { readonly order: readonly string[] }[],
  order: readonly string[],
): number {
  let [low, high] = [0, partition.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareOrders(partition[middle]?.order ?? [], order) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function compareOrders(left: readonly string[], right: readonly string[]): number {
  for (const [index, text] of left.entries()) {
    const order = orderOf(text, right[index] ?? '');
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

interface StoredEntry {
  readonly order: readonly [sk: string];
  readonly item: ModelItem;
}

interface IndexedEntry {
  readonly order: readonly [indexSk: string, pk: string, sk: string];
}

/**
 * A table of DynamoDB in memory: the operations and expressions that this service uses, each atomic. Other ones throw.
 * It is checked against two engines (differential.slow.test.ts).
 */
export class ModelStore {
  /** When the indexes have a change that the table has. */
  lag: (apply: () => void) => void = (apply) => apply();
  /** What the writes so far have changed, and nobody has taken yet. */
  readonly #changes: StreamChange[] = [];
  readonly #items = new Partitions<StoredEntry>();
  readonly #indexes = new Map(Object.keys(INDEXES).map((name) => [name, new Partitions<IndexedEntry>()]));
  readonly #tokens = new Map<string, number>();

  /** @throws the errors of the SDK, with the same reasons */
  call({ operation, input }: StoreCall, nowMs: number): object {
    switch (operation) {
      case 'GetItem':
        return this.#get(input);
      case 'BatchGetItem':
        return this.#batchGet(input);
      case 'Query':
        return this.#query(input);
      case 'PutItem':
      case 'UpdateItem':
      case 'DeleteItem':
        return this.#writeOne(operation.replace('Item', '') as Write['verb'], input);
      case 'BatchWriteItem':
        return this.#batchWrite(input);
      case 'TransactWriteItems':
        return this.#transact(input, nowMs);
      default:
        throw new Error(`the model of the store does not know ${operation}`);
    }
  }

  /** The changes since the last call, in their order. */
  takeChanges(): StreamChange[] {
    return this.#changes.splice(0);
  }

  /** Every item, in the order of its keys. */
  *items(): Generator<ModelItem> {
    for (const { item } of this.#items.all()) {
      yield item;
    }
  }

  /** Whether a partition has an item. */
  has(pk: string): boolean {
    return this.#items.of(pk).length > 0;
  }

  /** Whether an index has an entry whose sort key is not after a text. */
  hasEntryUntil(index: IndexName, sk: string): boolean {
    return this.#indexes.get(index)?.hasUntil(sk) === true;
  }

  #get(input: StoreCall['input']): object {
    const { pk, sk } = input.Key as { pk: string; sk: string };
    const item = this.#items.find(pk, [sk])?.item;
    return { ...METADATA, ...(item && { Item: { ...item } }) };
  }

  #batchGet(input: StoreCall['input']): object {
    const [[table, { Keys }]] = Object.entries(input.RequestItems as object) as [
      [string, { Keys: { pk: string; sk: string }[] }],
    ];
    const found = Keys.flatMap(({ pk, sk }) => {
      const entry = this.#items.find(pk, [sk]);
      return entry === undefined ? [] : [{ ...entry.item }];
    });
    return { ...METADATA, Responses: { [table]: found }, UnprocessedKeys: {} };
  }

  #batchWrite(input: StoreCall['input']): object {
    const [requests = []] = Object.values(input.RequestItems as object) as {
      PutRequest?: { Item: object };
      DeleteRequest?: { Key: object };
    }[][];
    const writes = requests.map(({ PutRequest: put, DeleteRequest: remove }) =>
      put === undefined ? toWrite('Delete', { Key: remove?.Key }) : toWrite('Put', { Item: put.Item }),
    );
    requireDistinct(writes);
    for (const write of writes) {
      this.#apply(write);
    }
    return { ...METADATA, UnprocessedItems: {} };
  }

  #writeOne(verb: Write['verb'], input: StoreCall['input']): object {
    const write = toWrite(verb, input);
    const before = this.#items.find(write.pk, [write.sk])?.item;
    if (!isMet(write, before)) {
      const isShown = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined;
      throw new ConditionalCheckFailedException({
        ...METADATA,
        message: 'The conditional request failed',
        ...(isShown && { Item: marshall(before) }),
      });
    }
    const names = this.#apply(write);
    const after = this.#items.find(write.pk, [write.sk])?.item;
    const isAsked = input.ReturnValues === 'UPDATED_NEW' && after !== undefined;
    const Attributes = Object.fromEntries(
      names.flatMap((name) => (after && name in after ? [[name, after[name]]] : [])),
    );
    return { ...METADATA, ...(isAsked && { Attributes }) };
  }

  #transact(input: StoreCall['input'], nowMs: number): object {
    const token = String(input.ClientRequestToken);
    if (nowMs - (this.#tokens.get(token) ?? Number.NEGATIVE_INFINITY) < TOKEN_LIVES_MS) {
      return { ...METADATA };
    }
    const writes = (input.TransactItems as object[]).map((each) => {
      const [[verb, one]] = Object.entries(each) as [[Write['verb'], StoreCall['input']]];
      return toWrite(verb, one);
    });
    requireDistinct(writes);
    const met = writes.map((write) => isMet(write, this.#items.find(write.pk, [write.sk])?.item));
    if (met.includes(false)) {
      throw canceled(met.map((isWell) => (isWell ? 'None' : 'ConditionalCheckFailed')));
    }
    for (const write of writes) {
      this.#apply(write);
    }
    this.#tokens.set(token, nowMs);
    return { ...METADATA };
  }

  /** @returns the names of the attributes that an update is about */
  #apply({ verb, pk, sk, given, input }: Write): readonly string[] {
    if (verb === 'ConditionCheck') {
      return [];
    }
    const before = this.#items.find(pk, [sk])?.item;
    let after: ModelItem | undefined;
    let names: readonly string[] = [];
    if (verb === 'Put') {
      after = plain(input.Item) as ModelItem;
    } else if (verb === 'Update') {
      after = { ...(before ?? { pk, sk }) };
      names = changeOf(String(input.UpdateExpression))(after, given);
    }
    if (before === undefined && after === undefined) {
      return names;
    }
    this.#replace(pk, sk, before, after);
    this.#changes.push({ before, after });
    return names;
  }

  #replace(pk: string, sk: string, before: ModelItem | undefined, after: ModelItem | undefined): void {
    if (after === undefined) {
      this.#items.remove(pk, [sk]);
    } else {
      this.#items.put(pk, { order: [sk], item: after });
    }
    this.lag(() => this.#reindex(pk, sk, before, after));
  }

  #reindex(pk: string, sk: string, before: ModelItem | undefined, after: ModelItem | undefined): void {
    for (const [name, { partitionKey, sortKey }] of Object.entries(INDEXES)) {
      const index = this.#indexes.get(name);
      const keysOf = (item: ModelItem | undefined) => [item?.[partitionKey], item?.[sortKey]];
      const [oldPk, oldSk] = keysOf(before);
      const [newPk, newSk] = keysOf(after);
      if (typeof oldPk === 'string' && typeof oldSk === 'string') {
        index?.remove(oldPk, [oldSk, pk, sk]);
      }
      if (typeof newPk === 'string' && typeof newSk === 'string') {
        index?.put(newPk, { order: [newSk, pk, sk] });
      }
    }
  }

  #query(input: StoreCall['input']): object {
    const given = namesOf(input);
    const condition = String(input.KeyConditionExpression);
    const indexName = input.IndexName as IndexName | undefined;
    const candidates = indexName === undefined ? this.#ofTable(given) : this.#ofIndex(indexName, given);
    const isMatch = predicateOf(condition);
    const isKept =
      input.FilterExpression === undefined ? () => true : predicateOf(String(input.FilterExpression));
    const matching = candidates.filter((item) => isMatch(item, given));
    const inOrder = input.ScanIndexForward === false ? matching.toReversed() : matching;
    const start = input.ExclusiveStartKey as { pk: string; sk: string } | undefined;
    const from =
      start === undefined ? 0 : inOrder.findIndex(({ pk, sk }) => pk === start.pk && sk === start.sk) + 1;
    if (start !== undefined && from === 0) {
      return this.#queryAfterGone(input, inOrder, start);
    }
    const limit = Number(input.Limit ?? Number.POSITIVE_INFINITY);
    const page: ModelItem[] = [];
    let [looked, bytes] = [0, 0];
    for (const item of inOrder.slice(from)) {
      bytes += sizeOf(item);
      if (looked === limit || (bytes > PAGE_MAX_BYTES && looked > 0)) {
        break;
      }
      looked += 1;
      if (isKept(item, given)) {
        page.push(item);
      }
    }
    const last = inOrder[from + looked - 1];
    const isCut = looked > 0 && (from + looked < inOrder.length || looked === limit);
    return {
      ...METADATA,
      Count: page.length,
      ScannedCount: looked,
      ...(input.Select !== 'COUNT' && { Items: page.map((item) => projected(item, input)) }),
      ...(isCut && last !== undefined && { LastEvaluatedKey: keyIn(last, indexName) }),
    };
  }

  /** The item at which the last page ended is gone: what comes after it in order follows. */
  #queryAfterGone(
    input: StoreCall['input'],
    inOrder: readonly ModelItem[],
    start: Record<string, string>,
  ): object {
    const { sortKey } =
      input.IndexName === undefined ? { sortKey: 'sk' } : INDEXES[input.IndexName as IndexName];
    const orderIn = (item: Readonly<Record<string, Value | undefined>>) =>
      [item[sortKey], item.pk, item.sk].map(String);
    const sign = input.ScanIndexForward === false ? -1 : 1;
    const rest = inOrder.filter((item) => sign * compareOrders(orderIn(item), orderIn(start)) > 0);
    const { ExclusiveStartKey: _, ...others } = input;
    const [before] = [inOrder.length - rest.length];
    return before === 0
      ? this.#query(others)
      : this.#query({ ...input, ExclusiveStartKey: keyIn(inOrder[before - 1] as ModelItem, undefined) });
  }

  #ofTable({ values }: Names): ModelItem[] {
    return this.#items.of(String(values[':pk'])).map(({ item }) => item);
  }

  /** Indexes hold keys alone. */
  #ofIndex(name: IndexName, { values }: Names): ModelItem[] {
    const { partitionKey, sortKey } = INDEXES[name];
    const indexPk = String(values[':pk']);
    const entries = this.#indexes.get(name)?.of(indexPk) ?? [];
    return entries.map(({ order: [indexSk, pk, sk] }) => ({
      pk,
      sk,
      [partitionKey]: indexPk,
      [sortKey]: indexSk,
    }));
  }
}

function toWrite(verb: Write['verb'], input: StoreCall['input']): Write {
  const { pk, sk } = (verb === 'Put' ? input.Item : input.Key) as { pk: string; sk: string };
  const condition = input.ConditionExpression as string | undefined;
  return { verb, pk, sk, given: namesOf(input), condition, input };
}

function isMet({ condition, given }: Write, item: ModelItem | undefined): boolean {
  return condition === undefined || predicateOf(condition)(item, given);
}

function requireDistinct(writes: readonly Write[]): void {
  const keys = new Set(writes.map(({ pk, sk }) => JSON.stringify([pk, sk])));
  if (keys.size < writes.length) {
    throw Object.assign(new Error('an item is written twice at once'), { name: 'ValidationException' });
  }
}

/** The error of a transaction that another call or a condition has stopped: one reason for each of its writes. */
export function canceled(reasons: readonly string[]): TransactionCanceledException {
  return new TransactionCanceledException({
    ...METADATA,
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.join(', ')}]`,
    CancellationReasons: reasons.map((Code) => ({ Code })),
  });
}

/** The error of a single write while a transaction holds its item. */
export function conflict(): TransactionConflictException {
  return new TransactionConflictException({ ...METADATA, message: 'Transaction is ongoing for the item' });
}

function namesOf(input: StoreCall['input']): Names {
  const values = Object.entries((input.ExpressionAttributeValues ?? {}) as Record<string, unknown>);
  return {
    names: (input.ExpressionAttributeNames ?? {}) as Record<string, string>,
    values: Object.fromEntries(values.map(([name, value]) => [name, plain(value) as Value])),
  };
}

/** A value as the table keeps it: what is undefined is left out, and nothing is shared with the caller. */
function plain(value: unknown): Value | undefined {
  if (typeof value === 'bigint') {
    if (!Number.isSafeInteger(Number(value))) {
      throw new Error(`the model of the store keeps no number as large as ${value}`);
    }
    return Number(value);
  }
  if (typeof value !== 'object' || value === null) {
    return value as Value | undefined;
  }
  if (value instanceof Uint8Array) {
    return Uint8Array.from(value);
  }
  if (value instanceof Set) {
    return new Set(value);
  }
  if (Array.isArray(value)) {
    return value.map((each) => plain(each) ?? null);
  }
  const entries = Object.entries(value).map(([name, inner]) => [name, plain(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)) as Value;
}

function projected(item: ModelItem, { ProjectionExpression: names }: StoreCall['input']): ModelItem {
  return names === undefined
    ? { ...item }
    : Object.fromEntries(
        String(names)
          .split(/,\s*/)
          .flatMap((name) => (name in item ? [[name, item[name] as Value]] : [])),
      );
}

function keyIn({ pk, sk, ...rest }: ModelItem, index: IndexName | undefined): ModelItem {
  const { partitionKey, sortKey } = index === undefined ? { partitionKey: '', sortKey: '' } : INDEXES[index];
  const ofIndex = Object.entries(rest).filter(([name]) => name === partitionKey || name === sortKey);
  return { pk: pk as Value, sk: sk as Value, ...Object.fromEntries(ofIndex) };
}

/** As DynamoDB counts: the bytes of names and values. */
function sizeOf(value: Value | undefined): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  if (typeof value === 'number') {
    return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 1;
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  if (value instanceof Uint8Array) {
    return value.byteLength;
  }
  if (value instanceof Set) {
    return [...value].reduce((sum, each) => sum + sizeOf(each), 3);
  }
  const entries = Object.entries(value as Record<string, Value>);
  return entries.reduce((sum, [name, inner]) => sum + Buffer.byteLength(name) + sizeOf(inner), 3);
}
