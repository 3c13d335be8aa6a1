import type { Key } from '../../shared/store/table/keys.ts';
import type { StoreCall } from './model-store.ts';

/** Calls that AWS never accepts, whatever the table has. */
export const IMPOSSIBLE_CALLS: readonly ((table: string, key: Key) => StoreCall)[] = [
  // Nothing, too much, or one item twice, at once.
  () => transact([]),
  (table, key) => transact(many(101).map((sk) => ({ Delete: { TableName: table, Key: { ...key, sk } } }))),
  (table, key) =>
    transact([{ Delete: { TableName: table, Key: key } }, { Put: { TableName: table, Item: key } }]),
  (table) => batchGet(table, []),
  (table, key) => batchGet(table, [key, key]),
  (table, key) =>
    batchGet(
      table,
      many(101).map((sk) => ({ ...key, sk })),
    ),
  (table) => batchWrite(table, []),
  (table, key) => batchWrite(table, [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } }]),
  (table, key) =>
    batchWrite(
      table,
      many(26).map((sk) => ({ DeleteRequest: { Key: { ...key, sk } } })),
    ),
  // Keys.
  (table, key) => ({ operation: 'GetItem', input: { TableName: table, Key: { ...key, sk: '' } } }),
  (table, key) => ({ operation: 'PutItem', input: { TableName: table, Item: { ...key, pk: '' } } }),
  (table, key) => ({ operation: 'PutItem', input: { TableName: table, Item: { ...key, duePk: '' } } }),
  (table, key) => update(table, key, 'SET dueSk = :n', { ':n': 1 }),
  (table, key) => update(table, key, 'SET sk = :t', { ':t': 'x' }),
  // Expressions.
  (table, key) => update(table, key, 'SET counted = :n', { ':n': 1, ':unused': 2 }),
  (table, key) => update(table, key, 'SET counted = :missing', { ':missing': undefined }),
  (table, key) =>
    update(table, key, 'SET counted = :n, #counted = :n', { ':n': 1 }, { '#counted': 'counted' }),
  (table, key) => update(table, key, 'SET counted = :n', { ':n': 1 }, { '#unused': 'counted' }),
  (table, key) => update(table, key, 'SET #counted = :n', { ':n': 1 }),
  (table, key) => update(table, key, 'SET counted = :n', { ':n': 1 }, undefined, '((counted < :n))'),
  // Queries.
  (table, { pk }) => query(table, { ':pk': pk }, { Limit: 0 }),
  (table, { pk }) => query(table, { ':pk': pk, ':unused': pk }),
  (table, { pk }) =>
    query(table, { ':pk': pk, ':from': 'b', ':to': 'a' }, {}, ' AND sk BETWEEN :from AND :to'),
  (table, { pk }) => query(table, { ':pk': pk }, { IndexName: 'due', ConsistentRead: true }, '', 'duePk'),
];

function many(length: number): string[] {
  return Array.from({ length }, (_, index) => String(index));
}

function transact(TransactItems: readonly object[]): StoreCall {
  return { operation: 'TransactWriteItems', input: { TransactItems } };
}

function batchGet(table: string, Keys: readonly Key[]): StoreCall {
  return { operation: 'BatchGetItem', input: { RequestItems: { [table]: { Keys } } } };
}

function batchWrite(table: string, requests: readonly object[]): StoreCall {
  return { operation: 'BatchWriteItem', input: { RequestItems: { [table]: requests } } };
}

function update(
  TableName: string,
  Key: Key,
  UpdateExpression: string,
  ExpressionAttributeValues: object,
  ExpressionAttributeNames?: object,
  ConditionExpression?: string,
): StoreCall {
  const given = { ExpressionAttributeValues, ExpressionAttributeNames, ConditionExpression };
  return { operation: 'UpdateItem', input: { TableName, Key, UpdateExpression, ...given } };
}

function query(
  TableName: string,
  ExpressionAttributeValues: object,
  more: object = {},
  where = '',
  name = 'pk',
): StoreCall {
  const KeyConditionExpression = `${name} = :pk${where}`;
  return {
    operation: 'Query',
    input: { TableName, KeyConditionExpression, ExpressionAttributeValues, ...more },
  };
}
