import { BatchGetItemCommand } from '@aws-sdk/client-dynamodb';
import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { runGranted } from '../../../infra/local/guard.ts';
import type { World } from '../../../shared/domain/world.ts';
import { apiKeyKey, keyOf, onceKey, worldKey } from '../../../shared/store/keys.ts';
import { readProviderSecrets } from '../../../shared/store/read-provider-secrets.ts';
import { aWorld } from '../../support/entities.ts';
import '../../support/merchant.ts';

const { documents, dynamodb, tableName } = await import('../../../shared/store/client.ts');

const TableName = tableName();
/** A world that belongs to no merchant. */
const WORLD = { id: 'ffffffffffffffff', epoch: 1 };
const payment = keyOf('payment', WORLD, 'pay_1');
const refund = keyOf('refund', WORLD, 'ref_1');
const once = onceKey(WORLD, 'x');
const key = apiKeyKey('ab'.repeat(32));
const nothingThere = { ConditionExpression: 'attribute_exists(pk)' };

/** What becomes of a call to the store by a function: the name of the error that it ends with, or `done`. */
function outcomeOf(name: string, call: () => Promise<unknown>): Promise<string> {
  return runGranted(name, call).then(
    () => 'done',
    (error: Error) => error.name,
  );
}

const keyIs = (pk: string, IndexName?: string) =>
  new QueryCommand({
    TableName,
    ...(IndexName && { IndexName }),
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': IndexName ? `${IndexName}Pk` : 'pk' },
    ExpressionAttributeValues: { ':pk': pk },
  });
const lastUse = (expression: string) =>
  new UpdateCommand({
    TableName,
    Key: key,
    UpdateExpression: expression,
    ConditionExpression: 'attribute_exists(pk) AND NOT lastUsedDay = :value',
    ExpressionAttributeNames: expression.includes('#') ? { '#granted': 'permissions' } : undefined,
    ExpressionAttributeValues: { ':value': '2026-11-21' },
  });

const worldUpdate = (expression: string, named?: string) =>
  new UpdateCommand({
    TableName,
    Key: worldKey(WORLD.id),
    UpdateExpression: expression,
    ConditionExpression: 'attribute_exists(pk)',
    ...(named && { ExpressionAttributeNames: { '#named': named } }),
    ExpressionAttributeValues: { ':value': 1 },
  });

describe('on this machine too, a function is refused what it is not granted', () => {
  test.each([
    ['get-payment', 'reads a refund', () => documents.send(new GetCommand({ TableName, Key: refund }))],
    ['get-payment', 'writes a payment', () => documents.send(new PutCommand({ TableName, Item: payment }))],
    ['create-payment', 'writes a key', () => documents.send(new PutCommand({ TableName, Item: key }))],
    [
      'create-payment',
      'writes a key beside a payment',
      () =>
        documents.send(
          new TransactWriteCommand({
            TransactItems: [{ Put: { TableName, Item: payment } }, { Put: { TableName, Item: key } }],
          }),
        ),
    ],
    [
      'create-payment',
      'deletes a payment',
      () => documents.send(new DeleteCommand({ TableName, Key: payment })),
    ],
    [
      'create-payment',
      'gives a key permissions',
      () => documents.send(lastUse('SET lastUsedDay = :value, #granted = :value')),
    ],
    ['pay-by-link', 'ends an epoch of a world', () => documents.send(worldUpdate('SET epoch = :value'))],
    [
      'purge-test-data',
      'makes a world live',
      () => documents.send(worldUpdate('SET #named = :value, epoch = :value', 'mode')),
    ],
    [
      'workers/job-runner',
      'connects a world to a provider',
      () => documents.send(worldUpdate('SET provider = :value')),
    ],
    [
      'purge-test-data',
      'puts a world in the place of another',
      () => documents.send(new PutCommand({ TableName, Item: { ...worldKey(WORLD.id), mode: 'live' } })),
    ],
    ['list-payments', 'lists keys', () => documents.send(keyIs('KEYS', 'related'))],
    ['list-payments', 'reads a whole partition', () => documents.send(keyIs(payment.pk))],
    [
      'list-payments',
      'reads a refund among payments, undecoded',
      () =>
        dynamodb.send(
          new BatchGetItemCommand({
            RequestItems: {
              [TableName]: {
                Keys: [payment, refund].map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } })),
              },
            },
          }),
        ),
    ],
    ['get-checkout-page', 'reads a key', () => documents.send(new GetCommand({ TableName, Key: key }))],
    ['answer-unknown-route', 'reads', () => documents.send(new GetCommand({ TableName, Key: payment }))],
    [
      'workers/job-runner',
      'deletes a key in a batch',
      () =>
        documents.send(
          new BatchWriteCommand({
            RequestItems: { [TableName]: [payment, key].map((Key) => ({ DeleteRequest: { Key } })) },
          }),
        ),
    ],
  ])('%s, where it %s', async (name, _does, call) => {
    expect(await outcomeOf(name, call)).toBe('AccessDeniedException');
  });

  test('whatever it is, where it looks through the whole table', async () => {
    const scan = () => documents.send(new ScanCommand({ TableName }));
    await expect(runGranted('list-payments', scan)).rejects.toThrow('Scan is granted to nobody');
  });
});

describe('the secrets of providers', () => {
  const connection = { kind: 'stripe', token: 'x', account: 'acct_1', isTest: true, connectedAtMs: 1 };
  const world: World = { ...aWorld(), mode: 'live', provider: connection };
  const reading = () => readProviderSecrets(world);

  test.each(['get-payment', 'list-payments', 'request-refund', 'workers/job-runner', 'workers/deliverer'])(
    'are not read by %s, whose row names no provider',
    async (name) => {
      expect(await outcomeOf(name, reading)).toBe('AccessDeniedException');
    },
  );

  test.each(['create-payment', 'act-on-checkout', 'workers/live-job-runner'])(
    'are looked for by %s, which talks to them',
    async (name) => {
      expect(await outcomeOf(name, reading)).toBe('ProviderSecretsMissing');
    },
  );
});

describe('what it is granted, it gets', () => {
  test.each([
    ['get-payment', 'done', () => documents.send(new GetCommand({ TableName, Key: payment }))],
    ['get-payment', 'done', () => documents.send(new GetCommand({ TableName, Key: key }))],
    ['get-clock', 'done', () => documents.send(keyIs('ffffffffffffffff.1#JOBS#0'))],
    ['list-payments', 'done', () => documents.send(keyIs('ffffffffffffffff.1#PAYMENTS#0', 'newest'))],
    [
      'create-payment',
      'ConditionalCheckFailedException',
      () => documents.send(lastUse('SET lastUsedDay = :value')),
    ],
    [
      'create-payment',
      'TransactionCanceledException',
      () =>
        documents.send(
          new TransactWriteCommand({
            TransactItems: [
              { Put: { TableName, Item: payment } },
              { Delete: { TableName, Key: once, ...nothingThere } },
            ],
          }),
        ),
    ],
    [
      'workers/job-runner',
      'done',
      () =>
        documents.send(
          new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: payment } }] } }),
        ),
    ],
  ])('%s: %s', async (name, outcome, call) => {
    expect(await outcomeOf(name, call)).toBe(outcome);
  });

  test('what no function does, a command or a test, is not looked at', async () => {
    const answer = await documents.send(new GetCommand({ TableName, Key: key }));
    expect(answer.Item).toBeUndefined();
  });
});
