import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTable } from '../../infra/local/store.ts';
import '../support/merchant.ts';

const { AwsClient } = await import('../../shared/store/aws-client.ts');
const { documents, dynamodb } = await import('../../shared/store/client.ts');

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The responses of a test's store, the last to all further requests; null breaks the connection. */
type Answers = readonly ({ readonly status: number; readonly body: string } | null)[];

const DONE = { status: 200, body: '{}' };
const BROKEN = { status: 500, body: '<html>Bad gateway</html>' };

/**
 * A client of an address that keeps what it received.
 * @param beforeAnswer awaited before each response
 */
async function clientOf(variable: string, answers: Answers = [DONE], beforeAnswer?: () => Promise<void>) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    const answer = answers[Math.min(received.length, answers.length) - 1];
    await beforeAnswer?.();
    if (answer === null || answer === undefined) {
      request.socket.destroy();
    } else {
      response.writeHead(answer.status).end(answer.body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    vi.unstubAllEnvs();
  });
  vi.stubEnv(variable, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'ap-southeast-7');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKID');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  const client: unknown = new AwsClient(
    { name: 'dynamodb', contentType: 'application/x-amz-json-1.0', endpointVariable: LOCAL },
    { translateConfig: {} },
  );
  return {
    client: client as Pick<DynamoDBClient & DynamoDBDocumentClient, 'send' | 'middlewareStack'>,
    received,
  };
}

/** The variable for a local engine; the other one is the variable for all of AWS. */
const LOCAL = 'TEST_ENDPOINT_URL';
const AWS = 'AWS_ENDPOINT_URL';

const READ = new GetCommand({ TableName: 't', Key: { pk: 'a' } });
const write = () =>
  new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 't', Item: { pk: 'a' } } }] });

/** The signature of a received request, computed as AWS documents it (Signature Version 4). */
function signatureOf({ headers, body }: Received, signed: readonly string[], secret: string): string {
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/ap-southeast-7/dynamodb/aws4_request`;
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const lines = signed.map((name) => `${name}:${headers[name]}\n`).join('');
  const request = ['POST', '/', '', lines, signed.join(';'), sha256(body)].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(request)].join('\n')).toString('hex');
}

test('AWS is called with a valid signature, over the body, the operation and the session', async () => {
  const { client, received } = await clientOf(AWS);
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  await client.send(READ);
  const [request] = received as [Received];
  const { authorization = '' } = request.headers;
  const [, key, names = '', signature] =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/.*, SignedHeaders=(\S+), Signature=(\w{64})$/.exec(authorization) ??
    [];
  expect(key).toBe('AKID');
  expect(names.split(';')).toEqual(
    expect.arrayContaining(['host', 'x-amz-date', 'x-amz-target', 'x-amz-security-token']),
  );
  expect(signature).toBe(signatureOf(request, names.split(';'), 'secret'));
  expect(request.headers).toMatchObject({
    'x-amz-target': 'DynamoDB_20120810.GetItem',
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-security-token': 'session',
  });
});

test('a local engine gets the access key that selects its data, and no signature', async () => {
  const { client, received } = await clientOf(LOCAL);
  await client.send(READ);
  expect(received[0]?.headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/ap-southeast-7\/dynamodb\/aws4_request, .* Signature=none$/,
  );
});

test('an address of another machine gets a signature, though the same variable names it', async () => {
  const { client } = await clientOf(LOCAL);
  vi.stubEnv(LOCAL, 'http://127.0.0.1.example');
  let authorization: unknown;
  client.middlewareStack.add(
    () => async (args) => {
      authorization = (args.request as Received).headers.authorization;
      return { response: null, output: { $metadata: {} } };
    },
    { step: 'deserialize', priority: 'high' },
  );
  await client.send(READ);
  expect(authorization).toMatch(/Signature=\w{64}$/);
});

test.each([
  ['breaks the connection', null],
  ['answers a page with status 500', BROKEN],
  ['is throttled', { status: 400, body: '{"__type":"com.amazon#ThrottlingException"}' }],
])('a store that %s gets three attempts, and one token for a transaction', async (_, answer) => {
  const failing = await clientOf(AWS, [answer]);
  await expect(failing.client.send(write())).rejects.toThrow();
  expect(failing.received).toHaveLength(3);
  const tokens = failing.received.map(({ body }) => JSON.parse(body).ClientRequestToken);
  expect(tokens[0]).toMatch(/^[\w-]{36}$/);
  expect(new Set(tokens).size).toBe(1);
  const healed = await clientOf(AWS, [answer, answer, DONE]);
  await healed.client.send(write());
  expect(healed.received).toHaveLength(3);
});

/** Polls without a timer: `expect.poll` moves the clock of a test that has one of its own. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await nextTurn();
  }
}

test('a call that waits for the responses of others does not time out meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { client, received } = await clientOf(AWS, [DONE], () =>
    received.length <= 50 ? early.promise : late.promise,
  );
  const attempts: (number | undefined)[] = [];
  const send = async () => {
    const { $metadata } = await client.send(READ);
    attempts.push($metadata.attempts);
  };
  const all = Promise.all(Array.from({ length: 51 }, send));
  await until(() => received.length === 50);
  // Each gets its response 2.9 seconds after it was sent, of the 3 that it may take.
  vi.advanceTimersByTime(2_900);
  early.resolve();
  await until(() => attempts.length === 50 && received.length === 51);
  vi.advanceTimersByTime(2_900);
  late.resolve();
  await all;
  expect(attempts).toEqual(Array(51).fill(1));
});

test('two transactions have two tokens, and a token of the caller is kept', async () => {
  const { client, received } = await clientOf(AWS);
  await client.send(write());
  await client.send(write());
  await client.send(new TransactWriteCommand({ ...write().input, ClientRequestToken: 'mine' }));
  const [first, second, third] = received.map(({ body }) => JSON.parse(body).ClientRequestToken);
  expect(first).not.toBe(second);
  expect(third).toBe('mine');
});

test('a refusal is not repeated, and says what the store says', async () => {
  const body = '{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException","message":"no such table"}';
  const { client, received } = await clientOf(AWS, [{ status: 400, body }]);
  await expect(client.send(READ)).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'no such table',
    $metadata: { httpStatusCode: 400 },
  });
  expect(received).toHaveLength(1);
});

test.each(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
  'without %s nothing is sent, and the error names it',
  async (name) => {
    const { client, received } = await clientOf(AWS);
    vi.stubEnv(name, '');
    await expect(client.send(READ)).rejects.toThrow(`${name} is not set`);
    expect(received).toEqual([]);
  },
);

test('values come back as stored: bytes, sets, numbers, lists, attributes called B and BS', async () => {
  const Item = {
    pk: `BYTES#${randomUUID()}`,
    sk: 'A',
    B: 'text',
    BS: ['text'],
    bytes: Uint8Array.of(0, 128, 255),
    buffer: Buffer.from('a buffer'),
    byteSet: new Set([Uint8Array.of(1), Uint8Array.of(2)]),
    nested: { list: [1, 'two', null, true, { B: Uint8Array.of(3) }], empty: '' },
    emoji: '฿😀\u2028',
  };
  // Not in the table of the service: other tests read all of it and know its bytes.
  const TableName = `values-${randomUUID()}`;
  await createTable(inject('service').dynamodbEndpoint, TableName);
  onTestFinished(async () => {
    await dynamodb.send(new DeleteTableCommand({ TableName }));
  });
  const Key = { pk: Item.pk, sk: Item.sk };
  const stored = { ...Item, buffer: new Uint8Array(Item.buffer) };
  await documents.send(new PutCommand({ TableName, Item }));
  expect((await documents.send(new GetCommand({ TableName, Key }))).Item).toEqual(stored);
  // So does the item that a failed condition returns.
  const refused = await documents
    .send(
      new UpdateCommand({
        TableName,
        Key,
        UpdateExpression: 'SET emoji = :none',
        ConditionExpression: 'emoji = :none',
        ExpressionAttributeValues: { ':none': '' },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    )
    .catch((error: { name: string; Item: Record<string, { B?: Uint8Array }> }) => error);
  expect(refused).toMatchObject({
    name: 'ConditionalCheckFailedException',
    Item: { bytes: { B: stored.bytes } },
  });
});
