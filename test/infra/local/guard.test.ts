import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { runGranted } from '../../../infra/local/guard.ts';
import type { World } from '../../../shared/domain/world.ts';
import { apiKeyKey, claimKey, keyOf, sinkKey, worldKey } from '../../../shared/store/table/keys.ts';
import { readProviderSecrets } from '../../../shared/store/worlds/read-provider-secrets.ts';
import { aWorld } from '../../support/world/entities.ts';
import '../../support/world/merchant.ts';

const { callTable, dynamodb, tableName } = await import('../../../shared/store/table/client.ts');

const TableName = tableName();
/** A world that belongs to no merchant. */
const WORLD = { id: 'ffffffffffffffff', epoch: 1 };
const payment = keyOf('payment', WORLD, 'pay_1');
const refund = keyOf('refund', WORLD, 'ref_1');
const sink = sinkKey('token');
const once = claimKey(WORLD, 'x');
const key = apiKeyKey('pg_test_x');
const nothingThere = { ConditionExpression: 'attribute_exists(pk)' };

/** What becomes of a call to the store by a function: the name of the error that it ends with, or `done`. */
function outcomeOf(name: string, call: () => Promise<unknown>): Promise<string> {
  return runGranted(name, call).then(
    () => 'done',
    (error: Error) => error.name,
  );
}

const keyIs = (pk: string, IndexName?: string) => ({
  ...(IndexName && { IndexName }),
  KeyConditionExpression: '#pk = :pk',
  ExpressionAttributeNames: { '#pk': IndexName ? `${IndexName}Pk` : 'pk' },
  ExpressionAttributeValues: { ':pk': pk },
});
const lastUse = (expression: string) => ({
  Key: key,
  UpdateExpression: expression,
  ConditionExpression: 'attribute_exists(pk) AND NOT lastUsedDay = :value',
  ExpressionAttributeNames: expression.includes('#') ? { '#granted': 'permissions' } : undefined,
  ExpressionAttributeValues: { ':value': '2026-11-21' },
});

const worldUpdate = (expression: string, named?: string) => ({
  Key: worldKey(WORLD.id),
  UpdateExpression: expression,
  ConditionExpression: 'attribute_exists(pk)',
  ...(named && { ExpressionAttributeNames: { '#named': named } }),
  ExpressionAttributeValues: { ':value': 1 },
});

describe('the local host refuses calls that a function is not granted', () => {
  test.each([
    ['get-payment', 'reads a sink', () => callTable('GetItem', { Key: sink })],
    ['pay-by-link', 'writes a refund', () => callTable('PutItem', { Item: refund })],
    ['get-payment', 'writes a payment', () => callTable('PutItem', { Item: payment })],
    ['create-payment', 'writes a key', () => callTable('PutItem', { Item: key })],
    [
      'create-payment',
      'writes a key beside a payment',
      () =>
        callTable('TransactWriteItems', {
          ClientRequestToken: randomUUID(),
          TransactItems: [{ Put: { TableName, Item: payment } }, { Put: { TableName, Item: key } }],
        }),
    ],
    ['create-payment', 'deletes a payment', () => callTable('DeleteItem', { Key: payment })],
    [
      'create-payment',
      'gives a key permissions',
      () => callTable('UpdateItem', lastUse('SET lastUsedDay = :value, #granted = :value')),
    ],
    [
      'pay-by-link',
      'ends an epoch of a world',
      () => callTable('UpdateItem', worldUpdate('SET epoch = :value')),
    ],
    [
      'purge-test-data',
      'makes a world live',
      () => callTable('UpdateItem', worldUpdate('SET #named = :value, epoch = :value', 'mode')),
    ],
    [
      'workers/job-runner',
      'connects a world to a provider',
      () => callTable('UpdateItem', worldUpdate('SET provider = :value')),
    ],
    [
      'purge-test-data',
      'puts a world over another',
      () => callTable('PutItem', { Item: { ...worldKey(WORLD.id), mode: 'live' } }),
    ],
    ['list-payments', 'lists keys', () => callTable('Query', keyIs('KEYS', 'related'))],
    ['list-payments', 'reads a whole partition', () => callTable('Query', keyIs(payment.pk))],
    [
      'list-payments',
      'reads a sink among payments',
      () =>
        callTable('BatchGetItem', {
          RequestItems: { [TableName]: { Keys: [payment, sink] } },
        }),
    ],
    ['get-checkout-page', 'reads a key', () => callTable('GetItem', { Key: key })],
    ['answer-unknown-route', 'reads', () => callTable('GetItem', { Key: payment })],
    [
      'workers/job-runner',
      'deletes a key in a batch',
      () =>
        callTable('BatchWriteItem', {
          RequestItems: { [TableName]: [payment, key].map((Key) => ({ DeleteRequest: { Key } })) },
        }),
    ],
  ])('%s is refused when it %s', async (name, _does, call) => {
    expect(await outcomeOf(name, call)).toBe('AccessDeniedException');
  });

  test('every function is refused when it scans the whole table', async () => {
    const scan = () => dynamodb.send(new ScanCommand({ TableName }));
    await expect(runGranted('list-payments', scan)).rejects.toThrow('Scan is granted to nobody');
  });
});

describe('the secrets of providers', () => {
  const connection = { kind: 'stripe', token: 'x', account: 'acct_1', isTest: true, connectedAtMs: 1 };
  const world: World = { ...aWorld(), mode: 'live', provider: connection };
  const reading = () => readProviderSecrets(world);

  test.each(['get-payment', 'list-payments', 'request-refund', 'workers/job-runner', 'workers/deliverer'])(
    'are refused to %s, whose role calls no provider',
    async (name) => {
      expect(await outcomeOf(name, reading)).toBe('AccessDeniedException');
    },
  );

  test.each(['create-payment', 'act-on-checkout', 'workers/live-job-runner'])(
    'can be read by %s, which calls providers',
    async (name) => {
      expect(await outcomeOf(name, reading)).toBe('ProviderSecretsMissing');
    },
  );
});

describe('the local host allows granted calls', () => {
  test.each([
    ['get-payment', 'done', () => callTable('GetItem', { Key: payment })],
    // By another function of its role.
    ['get-payment', 'done', () => callTable('GetItem', { Key: refund })],
    [
      'get-payment',
      'done',
      () => callTable('BatchGetItem', { RequestItems: { [TableName]: { Keys: [key] } } }),
    ],
    ['get-clock', 'done', () => callTable('Query', keyIs('ffffffffffffffff.1#JOBS#0'))],
    ['list-payments', 'done', () => callTable('Query', keyIs('ffffffffffffffff.1#PAYMENTS#0', 'newest'))],
    [
      'create-payment',
      'ConditionalCheckFailedException',
      () => callTable('UpdateItem', lastUse('SET lastUsedDay = :value')),
    ],
    [
      'create-payment',
      'TransactionCanceledException',
      () =>
        callTable('TransactWriteItems', {
          ClientRequestToken: randomUUID(),
          TransactItems: [
            { Put: { TableName, Item: payment } },
            { Delete: { TableName, Key: once, ...nothingThere } },
          ],
        }),
    ],
    [
      'workers/job-runner',
      'done',
      () =>
        callTable('BatchWriteItem', { RequestItems: { [TableName]: [{ DeleteRequest: { Key: payment } }] } }),
    ],
  ])('%s: %s', async (name, outcome, call) => {
    expect(await outcomeOf(name, call)).toBe(outcome);
  });

  test('a call outside a function, such as of a command or a test, is not checked', async () => {
    const answer = await callTable('GetItem', { Key: key });
    expect(answer.Item).toBeUndefined();
  });
});
