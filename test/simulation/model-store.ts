import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '../../shared/store/table/keys.ts';
import { INDEXES, type IndexName, TABLE } from '../../shared/store/table/table.ts';
import {
  changeOf,
  type Expression,
  type ItemChange,
  invalid,
  type KeyRange,
  keyConditionOf,
  type Names,
  type Predicate,
  predicateOf,
} from './expressions.ts';
import { requireKnown } from './known-parameters.ts';
import { Partitions, type SortOrder } from './partitions.ts';
import { type ModelItem, plain, plainItem, sizeOf, type Value } from './values.ts';

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

/** A page of a query is no larger, unless it has one item. */
const PAGE_MAX_BYTES = 1_048_576;
const ITEM_MAX_BYTES = 409_600;
const BATCH_GET_MAX = 100;
const BATCH_WRITE_MAX = 25;
const TRANSACTION_MAX = 100;
/** So long is a transaction known by its token, in milliseconds. */
const TOKEN_LIVES_MS = 600_000;
const METADATA = { $metadata: {} };
const INDEX_KEYS = Object.entries(INDEXES);
const KEY_NAMES = [TABLE, ...Object.values(INDEXES)].flatMap(({ partitionKey, sortKey }) => [
  partitionKey,
  sortKey,
]);

interface ModelWrite extends Key {
  readonly verb: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  readonly input: StoreCall['input'];
  readonly given: Names;
  readonly change: Expression<ItemChange> | null;
  readonly condition: Expression<Predicate> | null;
}

/** What a write makes of an item. */
interface WriteResult {
  readonly write: ModelWrite;
  readonly after: ModelItem | undefined;
  readonly bytes: number;
  /** The names of the attributes that an update is about. */
  readonly names: readonly string[];
}

/**
 * A table of DynamoDB in memory: the operations and expressions that this service uses, each atomic. Other ones throw.
 * It is compared with two engines (differential.slow.test.ts).
 */
export class ModelStore {
  /** When the indexes have a change that the table has. */
  lag: (apply: () => void) => void = (apply) => apply();
  /** What the writes so far have changed, and nobody has taken yet. */
  readonly #changes: StreamChange[] = [];
  readonly #items = new Partitions();
  readonly #indexes: ReadonlyMap<string, Partitions> = new Map(
    INDEX_KEYS.map(([name]) => [name, new Partitions()]),
  );
  readonly #transactions = new Map<string, { readonly atMs: number; readonly items: unknown }>();

  /** @throws the errors of the SDK, with the same reasons */
  call({ operation, input }: StoreCall, nowMs: number): object {
    requireKnown(operation, input);
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
        return this.#writeOne(operation.replace('Item', '') as ModelWrite['verb'], input);
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
    return this.#items.has(pk);
  }

  /** Whether an index has an entry whose sort key is not after a text. */
  hasEntryUntil(index: IndexName, sk: string): boolean {
    return this.#indexes.get(index)?.hasUntil(sk) === true;
  }

  #get(input: StoreCall['input']): object {
    const item = this.#find(keyOf(input.Key));
    return { ...METADATA, ...(item && { Item: plainItem(item) }) };
  }

  #batchGet({ RequestItems: tables }: StoreCall['input']): object {
    const [[table, { Keys, ConsistentRead: _, ...others }]] = Object.entries(tables as object) as [
      [string, { Keys: object[]; ConsistentRead?: boolean }],
    ];
    requireKnown('BatchGetItem', others);
    const keys = Keys.map(keyOf);
    requireDistinct(keys, BATCH_GET_MAX);
    const found = keys.map((key) => this.#find(key)).filter((item) => item !== undefined);
    return { ...METADATA, Responses: { [table]: found.map(plainItem) }, UnprocessedKeys: {} };
  }

  #batchWrite({ RequestItems: tables }: StoreCall['input']): object {
    const [requests = []] = Object.values(tables as object) as {
      PutRequest?: { Item: object };
      DeleteRequest?: { Key: object };
    }[][];
    const writes = requests.map(({ PutRequest: put, DeleteRequest: remove }) =>
      put === undefined ? toWrite('Delete', { Key: remove?.Key }) : toWrite('Put', { Item: put.Item }),
    );
    requireDistinct(writes, BATCH_WRITE_MAX);
    const results = writes.map((write) => resultOf(write, this.#find(write)));
    for (const result of results) {
      this.#apply(result);
    }
    return { ...METADATA, UnprocessedItems: {} };
  }

  #writeOne(verb: ModelWrite['verb'], input: StoreCall['input']): object {
    const write = toWrite(verb, input);
    const before = this.#find(write);
    if (!isMet(write, before)) {
      const isShown = input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && before !== undefined;
      throw new ConditionalCheckFailedException({
        ...METADATA,
        message: 'The conditional request failed',
        ...(isShown && { Item: marshall(plainItem(before)) }),
      });
    }
    const result = resultOf(write, before);
    this.#apply(result);
    const { after, names } = result;
    const kept = input.ReturnValues === 'UPDATED_NEW' && after !== undefined ? names : [];
    const shown = kept.map((name) => [name, plain(after?.[name])]).filter(([, value]) => value !== undefined);
    return { ...METADATA, ...(shown.length > 0 && { Attributes: Object.fromEntries(shown) }) };
  }

  #transact({ TransactItems: items, ClientRequestToken: token }: StoreCall['input'], nowMs: number): object {
    const known = this.#knownTransaction(token, nowMs);
    const writes = (items as object[]).map((each) => {
      const [[verb, input]] = Object.entries(each) as [[ModelWrite['verb'], StoreCall['input']]];
      requireKnown(verb, input);
      return toWrite(verb, input);
    });
    requireDistinct(writes, TRANSACTION_MAX);
    if (known !== undefined) {
      if (!isDeepStrictEqual(known.items, items)) {
        const message = 'The token was used with other parameters';
        throw new IdempotentParameterMismatchException({ ...METADATA, message });
      }
      return { ...METADATA };
    }
    const results = writes.map((write) => this.#tryWrite(write));
    const made = results.filter((result) => typeof result !== 'string');
    if (made.length < results.length) {
      throw canceled(results.map((result) => (typeof result === 'string' ? result : 'None')));
    }
    for (const result of made) {
      this.#apply(result);
    }
    if (token !== undefined) {
      this.#transactions.set(String(token), { atMs: nowMs, items });
    }
    return { ...METADATA };
  }

  #knownTransaction(token: unknown, nowMs: number) {
    for (const [old, { atMs }] of this.#transactions) {
      if (nowMs - atMs < TOKEN_LIVES_MS) {
        break;
      }
      this.#transactions.delete(old);
    }
    return token === undefined ? undefined : this.#transactions.get(String(token));
  }

  /** @returns the reason for which a transaction is canceled, where the write cannot be made */
  #tryWrite(write: ModelWrite): WriteResult | string {
    const before = this.#find(write);
    if (!isMet(write, before)) {
      return 'ConditionalCheckFailed';
    }
    try {
      return resultOf(write, before);
    } catch (error) {
      if (write.verb === 'Update' && (error as Error).name === 'ValidationException') {
        return 'ValidationError';
      }
      throw error;
    }
  }

  #find({ pk, sk }: Key): ModelItem | undefined {
    return this.#items.find(pk, [sk])?.item;
  }

  #apply({ write: { verb, pk, sk }, after, bytes }: WriteResult): void {
    const before = this.#find({ pk, sk });
    if (verb === 'ConditionCheck' || (before === undefined && after === undefined)) {
      return;
    }
    if (after === undefined) {
      this.#items.remove(pk, [sk]);
    } else {
      this.#items.put(pk, { order: [sk], item: after, bytes });
    }
    this.lag(() => this.#reindex({ pk, sk }, before, after));
    this.#changes.push({ before, after });
  }

  #reindex({ pk, sk }: Key, before: ModelItem | undefined, after: ModelItem | undefined): void {
    for (const [name, { partitionKey, sortKey }] of INDEX_KEYS) {
      const [oldPk, oldSk] = [before?.[partitionKey], before?.[sortKey]];
      const [newPk, newSk] = [after?.[partitionKey], after?.[sortKey]];
      if (oldPk === newPk && oldSk === newSk) {
        continue;
      }
      const index = this.#indexes.get(name);
      if (typeof oldPk === 'string' && typeof oldSk === 'string') {
        index?.remove(oldPk, [oldSk, pk, sk]);
      }
      if (typeof newPk === 'string' && typeof newSk === 'string') {
        // Indexes hold keys alone.
        const item = { pk, sk, [partitionKey]: newPk, [sortKey]: newSk };
        index?.put(newPk, { order: [newSk, pk, sk], item, bytes: sizeOf(item) });
      }
    }
  }

  #query(input: StoreCall['input']): object {
    const { limit, isForward, range, start, isKept } = readQuery(input);
    const partitions =
      input.IndexName === undefined ? this.#items : this.#indexes.get(String(input.IndexName));
    // One more says whether something follows.
    const candidates = partitions?.range(range, { isForward, start, limit: limit + 1 }) ?? [];
    const page: ModelItem[] = [];
    let [looked, bytes] = [0, 0];
    for (const entry of candidates) {
      bytes += entry.bytes;
      if (looked === limit || (bytes > PAGE_MAX_BYTES && looked > 0)) {
        break;
      }
      looked += 1;
      if (isKept(entry.item)) {
        page.push(entry.item);
      }
    }
    const last = looked < candidates.length || looked === limit ? candidates[looked - 1] : undefined;
    return {
      ...METADATA,
      Count: page.length,
      ScannedCount: looked,
      ...(input.Select !== 'COUNT' && { Items: page.map((item) => projected(item, input)) }),
      ...(last && { LastEvaluatedKey: keyIn(last.item, input) }),
    };
  }
}

/** What a query asks for. */
interface QueryRequest {
  readonly limit: number;
  readonly isForward: boolean;
  readonly range: KeyRange;
  /** What the last page ended with. */
  readonly start: SortOrder | null;
  readonly isKept: (item: ModelItem) => boolean;
}

function readQuery(input: StoreCall['input']): QueryRequest {
  const { Limit: limit = Number.POSITIVE_INFINITY, ExclusiveStartKey: start } = input as {
    Limit?: number;
    ExclusiveStartKey?: Record<string, string>;
  };
  const given = namesOf(input);
  const where = keyConditionOf(String(input.KeyConditionExpression));
  const filter = input.FilterExpression === undefined ? null : predicateOf(String(input.FilterExpression));
  requireUsed(given, where, filter);
  const keys = keysIn(input);
  const range = where.run(given, keys);
  if (limit < 1 || (input.IndexName !== undefined && input.ConsistentRead === true)) {
    throw invalid('no query has such a limit, and none of an index is consistent');
  }
  const sk = String(start?.[keys.sortKey]);
  if (
    start !== undefined &&
    (start[keys.partitionKey] !== range.pk || range.isBefore(sk) || range.isAfter(sk))
  ) {
    throw invalid('The provided starting key is outside query boundaries');
  }
  return {
    limit,
    isForward: input.ScanIndexForward !== false,
    range,
    start: start === undefined ? null : [sk, String(start.pk), String(start.sk)],
    isKept: (item) => filter?.run(item, given) ?? true,
  };
}

function keysIn({ IndexName: index }: StoreCall['input']) {
  return index === undefined ? TABLE : INDEXES[index as IndexName];
}

function keyOf(key: unknown): Key {
  const { pk, sk } = key as Key;
  if (typeof pk !== 'string' || typeof sk !== 'string' || pk === '' || sk === '') {
    throw invalid('A key is two texts that are not empty');
  }
  return { pk, sk };
}

function toWrite(verb: ModelWrite['verb'], input: StoreCall['input']): ModelWrite {
  const given = namesOf(input);
  const change = input.UpdateExpression === undefined ? null : changeOf(String(input.UpdateExpression));
  const condition =
    input.ConditionExpression === undefined ? null : predicateOf(String(input.ConditionExpression));
  requireUsed(given, change, condition);
  return { verb, ...keyOf(verb === 'Put' ? input.Item : input.Key), input, given, change, condition };
}

function isMet({ condition, given }: ModelWrite, item: ModelItem | undefined): boolean {
  return condition?.run(item, given) ?? true;
}

/** @throws ValidationException where an update is of other types, or the item would be too large */
function resultOf(write: ModelWrite, before: ModelItem | undefined): WriteResult {
  const { verb, pk, sk, given, change, input } = write;
  if (verb === 'Delete' || verb === 'ConditionCheck') {
    return { write, after: undefined, bytes: 0, names: [] };
  }
  const after = verb === 'Put' ? plainItem(input.Item as object) : { ...(before ?? { pk, sk }) };
  const names = change?.run(after, given) ?? [];
  const bytes = sizeOf(after);
  if (bytes > ITEM_MAX_BYTES) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }
  for (const key of KEY_NAMES) {
    if (after[key] !== undefined && (typeof after[key] !== 'string' || after[key] === '')) {
      throw invalid(`the key ${key} is a text that is not empty`);
    }
  }
  if (after.pk !== pk || after.sk !== sk) {
    throw invalid('no update changes a key');
  }
  return { write, after, bytes, names };
}

/** @throws ValidationException where names or values are missing, or not used */
function requireUsed(
  { names, values }: Names,
  ...expressions: readonly (Expression<unknown> | null)[]
): void {
  for (const expression of expressions) {
    for (const name of expression?.uses ?? []) {
      if ((name.startsWith('#') ? names : values)[name] === undefined) {
        throw invalid(`${name} is used in an expression, and is not given`);
      }
    }
  }
  for (const given of [names, values]) {
    for (const name in given) {
      if (!expressions.some((expression) => expression?.uses.has(name))) {
        throw invalid(`${name} is given, and is used in no expression`);
      }
    }
  }
}

function requireDistinct(keys: readonly Key[], atMost: number): void {
  const distinct = new Set(keys.map(({ pk, sk }) => `${pk}\n${sk}`));
  if (keys.length === 0 || keys.length > atMost || distinct.size < keys.length) {
    throw invalid(`at once are from 1 to ${atMost} items, each once`);
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
  const names = (input.ExpressionAttributeNames ?? {}) as Names['names'];
  const values = (input.ExpressionAttributeValues ?? {}) as Names['values'];
  for (const name in values) {
    if (typeof values[name] === 'bigint') {
      return { names, values: plainItem(values) };
    }
  }
  return { names, values };
}

function projected(item: ModelItem, { ProjectionExpression: projection }: StoreCall['input']): ModelItem {
  return plainItem(projection === undefined ? item : { sk: item.sk });
}

function keyIn(item: ModelItem, input: StoreCall['input']): ModelItem {
  const { partitionKey, sortKey } = keysIn(input);
  return Object.fromEntries(['pk', 'sk', partitionKey, sortKey].map((name) => [name, item[name] as Value]));
}
