import { INDEXES } from '../../shared/store/table/table.ts';
import { CONDITION_FORMS, QUERY_FORMS, type QueryForm, UPDATE_FORMS } from './differential-forms.ts';
import { IMPOSSIBLE_CALLS } from './impossible-calls.ts';
import type { StoreCall } from './model-store.ts';
import type { SeededRandom } from './seeded-random.ts';

export const TABLE_NAME = 'differential';
const PARTITIONS = 2;
/** In UTF-16, the last two sort the other way round. */
const SORT_KEYS = ['1', '10', '2', 'a', 'ab', 'b', 'é', 'ﾮ', '😀'];
const TEXTS = ['', 'open', 'done', 'é', 'ﾮ', '😀'];
const SETS = [['x'], ['x', 'y'], ['open', 'y', 'z']];
const NUMBERS = ['counted', 'summed', 'edition'];
const WORDS = ['standing', 'note'];
const TRANSACTION_MAX = 4;
const BATCH_MAX = 5;
const ITEM_MAX_BYTES = 409_600;

type Input = Record<string, unknown>;

/** What the partitions of a seed begin with. Each copy has others, whose names are as long. */
export function prefixOf(seed: number, copy = 0): string {
  return `${copyOf(copy)} seed ${seed}`;
}

/** The same value in the partitions of a copy. */
export function movedTo<Moved>(copy: number, value: Moved): Moved {
  const move = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.replace(/^copy \d+(?= seed )/, copyOf(copy));
    }
    if (Array.isArray(inner)) {
      return inner.map(move);
    }
    const isMap = typeof inner === 'object' && inner?.constructor === Object;
    return isMap
      ? Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, move(each)]))
      : inner;
  };
  return move(value) as Moved;
}

function copyOf(copy: number): string {
  return `copy ${String(copy).padStart(5, '0')}`;
}

/** Random calls of the forms that the service sends, each about the items that earlier ones have left. */
export class DifferentialCalls {
  readonly #random: SeededRandom;
  readonly #prefix: string;
  /** Queries that go on, and where. */
  readonly #pages: Input[] = [];
  #transaction: StoreCall | null = null;
  #tokens = 0;

  /** @param prefix of all partitions: two sequences with different ones know nothing of each other */
  constructor(random: SeededRandom, prefix: string) {
    this.#random = random;
    this.#prefix = prefix;
  }

  next(): StoreCall {
    const random = this.#random;
    const kind = random.below(100);
    if (kind < 45) {
      return this.#write();
    }
    if (kind < 60) {
      return this.#transact();
    }
    if (kind < 64) {
      return this.#readOne();
    }
    if (kind < 68) {
      return this.#batch();
    }
    if (kind < 88) {
      return this.#query();
    }
    if (kind < 96) {
      return this.#nextPage();
    }
    return kind < 98 ? this.#heavy() : this.#impossible();
  }

  /** A query goes on where a page has ended. */
  goOn({ input }: StoreCall, lastKey: object | undefined): void {
    if (lastKey !== undefined) {
      this.#pages.push({ ...input, ExclusiveStartKey: lastKey });
    }
  }

  #pk(): string {
    return `${this.#prefix}#${this.#random.below(PARTITIONS)}`;
  }

  #key() {
    return { pk: this.#pk(), sk: this.#random.pick(SORT_KEYS) };
  }

  #write(): StoreCall {
    const random = this.#random;
    const operation = random.pick([
      'PutItem',
      'PutItem',
      'UpdateItem',
      'UpdateItem',
      'UpdateItem',
      'DeleteItem',
    ]);
    const { verb, input } = this.#writeOf(operation.replace('Item', ''));
    return {
      operation: `${verb}Item`,
      input: {
        TableName: TABLE_NAME,
        ...input,
        ...(random.chance(0.4) && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        ...(verb === 'Update' && random.chance(0.5) && { ReturnValues: 'UPDATED_NEW' }),
      },
    };
  }

  #writeOf(verb: string, conditional = 0.5) {
    const isNeeded = verb === 'ConditionCheck';
    const expressions = {
      ...(verb === 'Update' && { UpdateExpression: this.#random.pick(UPDATE_FORMS) }),
      ...((isNeeded || this.#random.chance(conditional)) && { ConditionExpression: this.#condition() }),
    };
    const about = verb === 'Put' ? { Item: this.#item() } : { Key: this.#key() };
    return { verb, input: { ...about, ...this.#fill(expressions) } };
  }

  /** A form as it is, or two as one. */
  #condition(): string {
    const random = this.#random;
    const form = random.pick(CONDITION_FORMS);
    if (random.chance(0.7)) {
      return form;
    }
    const inParentheses = (text: string) => (/^\(.*\)$/.test(text) ? text : `(${text})`);
    const other = inParentheses(random.pick(CONDITION_FORMS));
    return `${random.pick(['', 'NOT '])}${inParentheses(form)} ${random.pick(['AND', 'OR'])} ${other}`;
  }

  /** Gives names and values to expressions, and other attributes of the same types. */
  #fill(expressions: Readonly<Record<string, string>>): Input {
    const random = this.#random;
    const [shift, isOther] = [random.below(NUMBERS.length), random.chance(0.5)];
    const renamed = (text: string) =>
      text.replace(/\b(?<!:)[a-z]+\b/g, (word) => {
        const number = NUMBERS.indexOf(word);
        const other = isOther ? WORDS[1 - WORDS.indexOf(word)] : word;
        return number >= 0
          ? String(NUMBERS[(number + shift) % NUMBERS.length])
          : WORDS.includes(word)
            ? String(other)
            : word;
      });
    const texts = Object.entries(expressions).map(([name, text]) => [name, renamed(text)] as const);
    const used = (sign: string) => [
      ...new Set(texts.flatMap(([, text]) => [...text.matchAll(new RegExp(`${sign}\\w+`, 'g'))].map(String))),
    ];
    const names = used('#').map((name) => [name, name.slice(1)]);
    const values = used(':').map((name) => [name, this.#value(String(name[1]))]);
    return {
      ...Object.fromEntries(texts),
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    };
  }

  #value(kind: string): unknown {
    const random = this.#random;
    switch (kind) {
      case 'n':
        return random.pick([0, 1, 2, 3, -1, 2 ** 40, BigInt(random.below(4))]);
      case 'f':
        return random.below(3) + random.pick([0, 0.1, 0.125]);
      case 't':
        return random.pick(TEXTS);
      case 'k':
        return random.pick(SORT_KEYS);
      case 'q':
        return `${this.#prefix}#due`;
      case 'b':
        return Uint8Array.from([random.below(3)]);
      case 's':
        return new Set(random.pick(SETS));
      case 'm':
        return this.#map();
      case 'y':
        return random.pick(['NULL', 'NULL', 'S', 'N']);
      case 'l':
        return ['x', undefined, null, { deep: [random.below(2)], on: true }].slice(random.below(4));
      case 'o':
        return null;
      default:
        return random.chance(0.5);
    }
  }

  #map(): object {
    const random = this.#random;
    return {
      since: random.below(4),
      kind: random.pick(TEXTS),
      ...(random.chance(0.3) && { left: undefined, none: null, many: this.#value('l') }),
      ...(random.chance(0.2) && { inner: { bytes: Uint8Array.from([1]), none: {}, empty: [] } }),
    };
  }

  /** Rarely with an attribute of another type than it has elsewhere. */
  #item(): Input {
    const random = this.#random;
    const kinds = {
      ...{ counted: 'n', summed: 'n', edition: 'n', lease: 'f', standing: 't', note: 't', tags: 's' },
      ...{ nothing: random.pick(['o', 'o', 't']), packed: 'b', flag: 'w', provider: 'm', many: 'l' },
    };
    const attributes = Object.entries(kinds)
      .filter(() => random.chance(0.6))
      .map(([name, kind]) => [name, this.#value(random.chance(0.03) ? random.pick([...'ntbsmowl']) : kind)]);
    const key = this.#key();
    return { ...key, ...Object.fromEntries(attributes), ...this.#indexKeys(key) };
  }

  /** Sort keys are alike in one index, and in the other ones of one item each. */
  #indexKeys({ pk, sk }: { readonly pk: string; readonly sk: string }): Input {
    const random = this.#random;
    const own = `${sk}${pk.at(-1)}`;
    return {
      ...(random.chance(0.5) && { duePk: `${this.#prefix}#due`, dueSk: random.pick(SORT_KEYS) }),
      ...(random.chance(0.5) && { newestPk: `${this.#prefix}#newest`, newestSk: own }),
      ...(random.chance(0.5) && { relatedPk: `${this.#prefix}#related`, relatedSk: own }),
      ...(random.chance(0.05) && { newestPk: undefined }),
    };
  }

  #transact(): StoreCall {
    const last = this.#transaction;
    // Once more, as after an answer that was lost; rarely with other writes.
    if (last !== null && this.#random.chance(0.1)) {
      return this.#random.chance(0.8)
        ? last
        : { ...last, input: { ...last.input, TransactItems: this.#writesOfOneTransaction() } };
    }
    this.#tokens += 1;
    const ClientRequestToken = `${this.#prefix}-${this.#tokens}`;
    const input = { TransactItems: this.#writesOfOneTransaction(), ClientRequestToken };
    this.#transaction = { operation: 'TransactWriteItems', input };
    return this.#transaction;
  }

  #writesOfOneTransaction(): object[] {
    const random = this.#random;
    const verbs = ['Put', 'Put', 'Put', 'Update', 'Update', 'Update', 'Delete', 'ConditionCheck'];
    const writes = new Map<string, object>();
    for (let left = 1 + random.below(TRANSACTION_MAX); left > 0; left -= 1) {
      const { verb, input } = this.#writeOf(random.pick(verbs), 0.3);
      const { pk, sk } = (input.Item ?? input.Key) as { pk: string; sk: string };
      writes.set(`${pk} ${sk}`, { [verb]: { TableName: TABLE_NAME, ...input } });
    }
    return [...writes.values()];
  }

  #readOne(): StoreCall {
    return { operation: 'GetItem', input: { TableName: TABLE_NAME, Key: this.#key(), ConsistentRead: true } };
  }

  /** Reads, writes or deletes some items at once, each by itself. */
  #batch(): StoreCall {
    const random = this.#random;
    const items = Array.from({ length: 1 + random.below(BATCH_MAX) }, () => this.#item());
    const distinct = [...new Map(items.map((item) => [`${item.pk} ${item.sk}`, item])).values()];
    const keys = distinct.map(({ pk, sk }) => ({ pk, sk }));
    if (random.chance(0.5)) {
      const RequestItems = { [TABLE_NAME]: { Keys: keys, ConsistentRead: true } };
      return { operation: 'BatchGetItem', input: { RequestItems } };
    }
    const requests = distinct.map((item, index) =>
      random.chance(0.5) ? { PutRequest: { Item: item } } : { DeleteRequest: { Key: keys[index] } },
    );
    return { operation: 'BatchWriteItem', input: { RequestItems: { [TABLE_NAME]: requests } } };
  }

  #query(): StoreCall {
    const random = this.#random;
    const form = random.pick(QUERY_FORMS);
    // Forms of the service, and others between them.
    const other = random.pick(QUERY_FORMS.filter(({ index }) => index === form.index));
    return this.#queryOf(random.chance(0.6) ? form : { ...form, ...other }, this.#pk());
  }

  #queryOf({ index, where, filters, limited, more }: QueryForm, pk: string): StoreCall {
    const random = this.#random;
    const { partitionKey, sortKey } =
      index === undefined ? { partitionKey: 'pk', sortKey: 'sk' } : INDEXES[index];
    const condition = `${index === undefined ? 'pk' : '#pk'} = :pk${where === undefined ? '' : ` AND ${where}`}`;
    const key = () => {
      const own = random.pick(SORT_KEYS);
      const isStart = where?.startsWith('begins_with');
      // As long as the keys of an index in which each item has one of its own.
      return isStart
        ? String([...own][0])
        : index === 'newest' || index === 'related'
          ? `${own}${random.below(PARTITIONS)}`
          : own;
    };
    const keys = [...new Set(condition.match(/:k2?/g) ?? [])].map((name) => [name, key()]);
    const left = ['open', 'done'].map((text, number) => [`:no${number}`, text]);
    return {
      operation: 'Query',
      input: {
        TableName: TABLE_NAME,
        ...(index !== undefined && { IndexName: index }),
        KeyConditionExpression: condition,
        ...(filters && { FilterExpression: 'NOT #filtered IN (:no0, :no1)' }),
        ExpressionAttributeValues: {
          ':pk': index === undefined ? pk : `${this.#prefix}#${index}`,
          ...Object.fromEntries([...keys, ...(filters ? left : [])]),
        },
        ...((index !== undefined || filters) && {
          ExpressionAttributeNames: {
            ...(filters && { '#filtered': 'standing' }),
            ...(index !== undefined && { '#pk': partitionKey }),
            ...(where?.includes('#sk') && { '#sk': sortKey }),
          },
        }),
        ...more,
        ...(limited && { Limit: 1 + random.below(4) }),
      },
    };
  }

  /** Goes on with a query, or first deletes the item with which its page ended. */
  #nextPage(): StoreCall {
    const page = this.#random.pick(this.#pages);
    if (page === undefined) {
      return this.#query();
    }
    const { pk, sk } = page.ExclusiveStartKey as { pk: string; sk: string };
    return this.#random.chance(0.3)
      ? { operation: 'DeleteItem', input: { TableName: TABLE_NAME, Key: { pk, sk } } }
      : { operation: 'Query', input: page };
  }

  /** Items of which a page holds few, in a partition of their own. */
  #heavy(): StoreCall {
    const random = this.#random;
    const pk = `${this.#prefix}#heavy`;
    const sized = (sk: string, bytes: number) => {
      const taken = Buffer.byteLength(`pk${pk}sk${sk}standingtext`) + 4;
      return { pk, sk, standing: random.pick(['open', 'else']), text: 'x'.repeat(bytes - taken) };
    };
    if (random.chance(0.1)) {
      const item = sized('1', ITEM_MAX_BYTES + random.below(3) - 1);
      return { operation: 'PutItem', input: { TableName: TABLE_NAME, Item: item } };
    }
    if (random.chance(0.3)) {
      const requests = ['1', '10', '2', 'a', 'b'].map((sk) => ({
        PutRequest: { Item: sized(sk, 150_000 + random.below(250_000)) },
      }));
      return { operation: 'BatchWriteItem', input: { RequestItems: { [TABLE_NAME]: requests } } };
    }
    return this.#queryOf(random.pick(QUERY_FORMS.filter(({ index }) => index === undefined)), pk);
  }

  /** A call that AWS never accepts. */
  #impossible(): StoreCall {
    return this.#random.pick(IMPOSSIBLE_CALLS)(TABLE_NAME, this.#key());
  }
}
