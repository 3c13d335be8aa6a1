import { randomInt, randomUUID } from 'node:crypto';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from 'vitest';
import type { ModelItem } from './expressions.ts';
import { ModelStore, type StoreCall } from './model-store.ts';
import { SeededRandom } from './seeded-random.ts';
import '../support/world/merchant.ts';

const { callTable } = await import('../../shared/store/table/client.ts');

/** In the differential run of an engine, more: `DIFFERENTIAL_CALLS=100000`. */
const CALLS = Number(process.env.DIFFERENTIAL_CALLS ?? 4_000);
const PARTITIONS = 3;
const ITEMS = 6;
const TRANSACTION_MAX = 4;

/** Random calls of one partition prefix, of the forms that the service sends. */
class Calls {
  readonly #random: SeededRandom;
  readonly #prefix: string;

  constructor(random: SeededRandom, prefix: string) {
    this.#random = random;
    this.#prefix = prefix;
  }

  next(): StoreCall {
    const kind = this.#random.below(12);
    if (kind < 2) {
      return { operation: 'PutItem', input: { Item: this.#item(), ...this.#condition() } };
    }
    if (kind < 5) {
      return { operation: 'UpdateItem', input: { Key: this.#key(), ...this.#update() } };
    }
    if (kind === 5) {
      return { operation: 'DeleteItem', input: { Key: this.#key(), ...this.#condition() } };
    }
    if (kind < 8) {
      return this.#transaction();
    }
    if (kind === 8) {
      return { operation: 'GetItem', input: { Key: this.#key(), ConsistentRead: true } };
    }
    return kind === 9 ? this.#indexQuery() : this.#query();
  }

  #pk(): string {
    return `${this.#prefix}#${this.#random.below(PARTITIONS)}`;
  }

  #key() {
    return {
      pk: this.#pk(),
      sk: this.#random.pick(['a', 'ab', 'b', '1', '10', '2', 'é']).slice(0, ITEMS),
    };
  }

  #item(): object {
    const random = this.#random;
    const isListed = random.chance(0.5);
    return {
      ...this.#key(),
      count: random.below(4),
      status: random.pick(['open', 'done', 'é']),
      version: random.below(3),
      ...(random.chance(0.3) && { names: new Set(random.pick([['x'], ['x', 'y'], ['y', 'z']])) }),
      ...(random.chance(0.2) && { nothing: null }),
      ...(random.chance(0.2) && { bytes: Uint8Array.from([random.below(3)]) }),
      ...(isListed && { duePk: `${this.#prefix}#due`, dueSk: random.pick(['1', '2', '2', '3']) }),
    };
  }

  #condition(): Readonly<Record<string, unknown>> {
    const random = this.#random;
    const condition = random.pick([
      null,
      'attribute_exists(pk)',
      'attribute_not_exists(pk)',
      'attribute_exists(pk) OR attribute_not_exists(pk)',
      'attribute_not_exists(pk) OR #count < :number',
      '#status = :text AND #count = :number',
      'NOT #status IN (:text, :other)',
      '#count BETWEEN :zero AND :number',
      'attribute_exists(pk) AND NOT contains(#names, :part)',
      'contains(#names, :part) AND (#count >= :number OR #version <> :zero)',
      '(attribute_type(nothing, :null) OR #count <= #version)',
      'begins_with(#status, :start) AND #count > :zero',
    ]);
    return condition === null
      ? {}
      : { ConditionExpression: condition, ...this.#given(condition), ...this.#asksForOld() };
  }

  #asksForOld() {
    return this.#random.chance(0.3) ? { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } : {};
  }

  /** The names and values that expressions use. */
  #given(...expressions: readonly string[]): Readonly<Record<string, unknown>> {
    const random = this.#random;
    const names = { '#status': 'status', '#count': 'count', '#names': 'names', '#version': 'version' };
    const values = {
      ':text': random.pick(['open', 'done']),
      ':other': 'é',
      ':start': random.pick(['o', 'do', 'x']),
      ':number': random.below(4),
      ':zero': 0,
      ':part': random.pick(['x', 'z']),
      ':parts': new Set(random.pick([['x'], ['y', 'z']])),
      ':null': 'NULL',
    };
    const used = (given: object) => {
      const entries = Object.entries(given).filter(([name]) =>
        expressions.some((text) => new RegExp(`${name}\\b`).test(text)),
      );
      return entries.length === 0 ? undefined : Object.fromEntries(entries);
    };
    return { ExpressionAttributeNames: used(names), ExpressionAttributeValues: used(values) };
  }

  #update(): Readonly<Record<string, unknown>> {
    const expression = this.#random.pick([
      'SET #status = :text',
      'SET #status = :text, #version = :number',
      'SET #version = :number ADD #count :number',
      'ADD #count :number, #names :parts',
      'ADD #names :parts',
      'DELETE #names :parts',
      'REMOVE nothing, #names',
      'SET #status = :text REMOVE #names',
    ]);
    const { ConditionExpression: condition, ReturnValuesOnConditionCheckFailure: old } = this.#condition();
    const texts = [expression, ...(condition === undefined ? [] : [String(condition)])];
    return {
      UpdateExpression: expression,
      ...(condition !== undefined && { ConditionExpression: condition }),
      ...(old !== undefined && { ReturnValuesOnConditionCheckFailure: old }),
      ...this.#given(...texts),
      ...(this.#random.chance(0.5) && { ReturnValues: 'UPDATED_NEW' }),
    };
  }

  #transaction(): StoreCall {
    const written = new Set<string>();
    const TransactItems = Array.from({ length: 1 + this.#random.below(TRANSACTION_MAX) }, () => {
      const { operation, input } = this.next();
      const verb = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' }[operation];
      const { ReturnValues: _, ReturnValuesOnConditionCheckFailure: __, ...one } = input;
      const key = JSON.stringify(((one.Item ?? one.Key) as ModelItem | undefined) && this.#keyOf(one));
      const isTwice = verb === undefined || written.has(key);
      written.add(key);
      return isTwice ? null : { [verb]: one };
    }).filter((write) => write !== null);
    return TransactItems.length === 0
      ? { operation: 'GetItem', input: { Key: this.#key(), ConsistentRead: true } }
      : { operation: 'TransactWriteItems', input: { TransactItems, ClientRequestToken: this.#token() } };
  }

  #keyOf({ Item: item, Key: key }: Readonly<Record<string, unknown>>) {
    const { pk, sk } = (item ?? key) as { pk: string; sk: string };
    return [pk, sk];
  }

  #token(): string {
    return `${this.#prefix} ${this.#random.bits()}`.slice(-36);
  }

  #query(): StoreCall {
    const random = this.#random;
    const where = random.pick([
      '',
      ' AND sk <= :sk',
      ' AND sk > :sk',
      ' AND begins_with(sk, :sk)',
      ' AND sk BETWEEN :from AND :sk',
    ]);
    const isFiltered = random.chance(0.3);
    return {
      operation: 'Query',
      input: {
        KeyConditionExpression: `pk = :pk${where}`,
        ExpressionAttributeValues: {
          ':pk': this.#pk(),
          ...(where !== '' && { ':sk': random.pick(['a', 'b', '2']) }),
          ...(where.includes(':from') && { ':from': '1' }),
          ...(isFiltered && { ':no0': 'open' }),
        },
        ...(isFiltered && {
          FilterExpression: 'NOT #filtered IN (:no0)',
          ExpressionAttributeNames: { '#filtered': 'status' },
        }),
        ConsistentRead: true,
        ScanIndexForward: random.chance(0.7),
        ...(random.chance(0.4) && { Limit: 1 + random.below(3) }),
      },
    };
  }

  #indexQuery(): StoreCall {
    return {
      operation: 'Query',
      input: {
        IndexName: 'due',
        KeyConditionExpression: '#pk = :pk AND #sk <= :sk',
        ExpressionAttributeNames: { '#pk': 'duePk', '#sk': 'dueSk' },
        ExpressionAttributeValues: {
          ':pk': `${this.#prefix}#due`,
          ':sk': this.#random.pick(['1', '2', '3']),
        },
      },
    };
  }
}

/** What a call returned or threw, without what only one of both says. */
async function outcomeOf(call: () => Promise<object> | object): Promise<object> {
  try {
    const output = (await call()) as Record<string, unknown>;
    const { Item: item, Items: items, Attributes: attributes, Count: count } = output;
    return {
      item,
      // Entries with the same sort key have no order of their own in an index.
      items: (items as object[] | undefined)?.map((each) => JSON.stringify(sorted(each))),
      attributes: attributes && Object.keys(attributes).length > 0 ? attributes : undefined,
      count,
      goesOn: output.LastEvaluatedKey !== undefined,
    };
  } catch (error) {
    const {
      name,
      CancellationReasons: reasons,
      Item: old,
    } = error as {
      name: string;
      CancellationReasons?: { Code?: string }[];
      Item?: Parameters<typeof unmarshall>[0];
    };
    return { name, reasons: reasons?.map(({ Code }) => Code), old: old && unmarshall(old) };
  }
}

function sorted(item: object): object {
  return Object.fromEntries(
    Object.entries(item)
      .map(([name, value]) => [name, value instanceof Set ? [...value].toSorted() : value])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}

test('the model of the store answers random calls as an engine does, refusals too', async () => {
  const seed = Number(process.env.DIFFERENTIAL_SEED ?? randomInt(2 ** 31));
  const calls = new Calls(new SeededRandom(seed), `differential ${randomUUID()}`);
  const model = new ModelStore();
  let refused = 0;
  for (let number = 1; number <= CALLS; number += 1) {
    const { operation, input } = calls.next();
    const [modelled, real] = [
      await outcomeOf(() => model.call({ operation, input: named(input) }, Date.now())),
      await outcomeOf(() => callTable(operation as 'GetItem', named(input) as never)),
    ];
    refused += 'name' in real ? 1 : 0;
    expect(
      inOrder(modelled),
      `call ${number} of DIFFERENTIAL_SEED=${seed}: ${JSON.stringify(input)}`,
    ).toEqual(inOrder(real));
  }
  expect(refused).toBeGreaterThan(CALLS / 20);
});

/** Each part of a transaction names its table. */
function named(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { TransactItems: items } = input as { TransactItems?: Record<string, object>[] };
  return items === undefined
    ? { ...input }
    : {
        ...input,
        TransactItems: items.map((each) =>
          Object.fromEntries(
            Object.entries(each).map(([verb, one]) => [verb, { TableName: process.env.TABLE_NAME, ...one }]),
          ),
        ),
      };
}

function inOrder(outcome: object): object {
  const { items } = outcome as { items?: string[] };
  return items === undefined ? outcome : { ...outcome, items: items.toSorted() };
}
