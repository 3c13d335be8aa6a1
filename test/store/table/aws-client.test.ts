import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTable } from '../../../infra/local/store.ts';
import { HOUR_MS } from '../../../shared/domain/clock.ts';
import { AWS_OPTIONS, interceptCalls, named } from '../../../shared/store/table/aws-client.ts';
import '../../support/world/merchant.ts';

const { dynamodb, callTable } = await import('../../../shared/store/table/client.ts');

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse) => unknown;

const says =
  (status: number, body: string): Answer =>
  (response) =>
    response.writeHead(status).end(body);
const refuses = (name: string): Answer =>
  says(400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}` }));
const DONE = says(200, '{}');
const SILENT: Answer = () => undefined;

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function clientAt(endpoint: string) {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...AWS_OPTIONS, endpoint }));
  const read = (step?: string) =>
    client.send(new GetCommand(named({ TableName: 't', Key: { pk: 'a' } }, step)));
  return { client, read };
}

/**
 * A client of a server that keeps the received requests.
 * @param answers of the server, the last to all further requests
 */
async function clientOf(...answers: readonly Answer[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: Buffer.concat(await request.toArray()).toString() });
    (answers[received.length - 1] ?? answers.at(-1) ?? DONE)(response);
  });
  const at = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...clientAt(`http://${at}`), received };
}

/** Polls without a timer: `expect.poll` moves the clock of a test that has one of its own. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await nextTurn();
  }
}

function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

beforeEach(() => {
  // Retries come at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  // In this order, since a timer may be mocked too.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('a call', () => {
  test.each([
    ['breaks the connection', (response: ServerResponse) => response.socket?.destroy()],
    ['shows a page with status 500', says(500, '<html>Bad gateway</html>')],
    ['is throttled', refuses('ThrottlingException')],
    ['is busy with the same transaction', refuses('TransactionInProgressException')],
  ])('whose service %s is repeated as it was, three times at most', async (_, answer) => {
    const failing = await clientOf(answer);
    await expect(failing.read()).rejects.toMatchObject({ $metadata: { attempts: 3 } });
    expect(failing.received).toHaveLength(3);
    expect(new Set(failing.received.map(({ body }) => body)).size).toBe(1);
    const healed = await clientOf(answer, answer, DONE);
    await healed.read();
    expect(healed.received).toHaveLength(3);
  });

  test.each([
    'ConditionalCheckFailedException',
    'TransactionCanceledException',
    'TransactionConflictException',
  ])('that is refused is not repeated: %s', async (name) => {
    const { read, received } = await clientOf(refuses(name));
    await expect(read()).rejects.toMatchObject({ name, $fault: 'client' });
    expect(received).toHaveLength(1);
  });

  test('is signed with new credentials when those of a session end', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-session-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const [config, script] = [path.join(dir, 'config'), path.join(dir, 'session.mjs')];
    await writeFile(
      config,
      `[default]\nregion = us-east-1\ncredential_process = ${process.execPath} ${script}\n`,
    );
    // The first session lasts an hour, the next one ten.
    await writeFile(
      script,
      `import { existsSync, writeFileSync } from 'node:fs';
      const AccessKeyId = existsSync('${dir}/first') ? 'SECOND' : 'FIRST';
      writeFileSync('${dir}/first', '');
      const Expiration = new Date(Date.now() + (AccessKeyId === 'FIRST' ? 1 : 10) * 3_600_000).toISOString();
      console.log(JSON.stringify({ Version: 1, AccessKeyId, SecretAccessKey: 's', SessionToken: 't', Expiration }));`,
    );
    vi.stubEnv('AWS_CONFIG_FILE', config);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', path.join(dir, 'none'));
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION']) {
      vi.stubEnv(name, undefined);
    }
    const { read, received } = await clientOf();
    await read();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS });
    await read();
    const keys = received.map(({ headers }) => /Credential=(\w+)\//.exec(String(headers.authorization))?.[1]);
    expect(keys).toEqual(['FIRST', 'SECOND']);
  });
});

describe('a time-out', () => {
  test('ends an attempt without a response after three seconds, and the call after three attempts', async () => {
    const { read, received } = await clientOf(DONE, SILENT);
    // The first attempt has a connection that was kept, the others make one.
    await read();
    stopTimers();
    const failed = expect(read()).rejects.toMatchObject({ name: 'TimeoutError' });
    for (const attempt of [1, 2, 3]) {
      await until(() => received.length === 1 + attempt);
      await vi.advanceTimersByTimeAsync(2_950);
      expect(received).toHaveLength(1 + attempt);
      await vi.advanceTimersByTimeAsync(60);
    }
    await failed;
  });

  test('ends an attempt that finds no connection', async () => {
    stopTimers();
    let connections = 0;
    // Accepts connections, and never begins TLS.
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    const at = await listen(server);
    onTestFinished(() => {
      server.close();
    });
    const failed = expect(clientAt(`https://${at}`).read()).rejects.toMatchObject({ name: 'TimeoutError' });
    for (const attempt of [1, 2, 3]) {
      await until(() => connections === attempt);
      await vi.advanceTimersByTimeAsync(3_010);
    }
    await failed;
  });

  test('does not end calls that are many at once', { tags: 'slow' }, async () => {
    const go = Promise.withResolvers<void>();
    const { read, received } = await clientOf(async (response) => {
      await go.promise;
      DONE(response);
    });
    const all = Promise.all(Array.from({ length: 200 }, () => read()));
    await until(() => received.length === 200);
    go.resolve();
    await all;
    expect(received).toHaveLength(200);
  });
});

describe('an interceptor', () => {
  test('wraps each attempt, and sees plain values and the name of the step', async () => {
    const { client, read, received } = await clientOf(
      refuses('ThrottlingException'),
      says(200, '{"Item":{"pk":{"S":"a"}}}'),
    );
    const seen: unknown[] = [];
    const stop = interceptCalls(client, async (call, next) => {
      seen.push(call);
      return { ...(await next()), Item: { pk: 'changed' } };
    });
    expect((await read('a step')).Item).toEqual({ pk: 'changed' });
    stop();
    expect((await read('another')).Item).toEqual({ pk: 'a' });
    const call = { operation: 'GetItem', input: { TableName: 't', Key: { pk: 'a' } }, step: 'a step' };
    expect(seen).toEqual([call, call]);
    expect(JSON.stringify(received)).not.toContain('step');
  });

  test('may hold any number of calls forever, and others go on', async () => {
    const { client, read, received } = await clientOf();
    interceptCalls(client, ({ step }, next) => (step === 'held' ? new Promise(() => undefined) : next()));
    for (let held = 0; held < 60; held += 1) {
      read('held');
    }
    await read();
    expect(received).toHaveLength(1);
  });
});

test('values come back as stored: bytes, sets, numbers, lists, attributes called B, BS and Item', async () => {
  const item = {
    pk: `BYTES#${randomUUID()}`,
    sk: 'A',
    B: 'text',
    BS: ['text'],
    Item: { Key: 1, Items: [{ S: 'text' }] },
    bytes: Uint8Array.of(0, 128, 255),
    buffer: Buffer.from('a buffer'),
    byteSet: new Set([Uint8Array.of(1), Uint8Array.of(2)]),
    nested: { list: [1, 'two', null, true, { B: Uint8Array.of(3) }], empty: '', missing: undefined },
    large: 2n ** 60n,
    emoji: '฿😀\u2028',
  };
  // Not in the table of the service: other tests read all of it and know its bytes.
  const [TableName, endpoint] = [`values-${randomUUID()}`, inject('service').dynamodbEndpoint];
  await createTable(endpoint, TableName);
  onTestFinished(async () => {
    await dynamodb.send(new DeleteTableCommand({ TableName }));
  });
  vi.stubEnv('TABLE_NAME', TableName);
  const Key = { pk: item.pk, sk: item.sk };
  const { missing: _, ...nested } = item.nested;
  const stored = { ...item, nested, buffer: new Uint8Array(item.buffer) };
  await callTable('PutItem', { Item: item });
  expect((await callTable('GetItem', { Key })).Item).toEqual(stored);
  const found = await callTable('Query', {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': item.pk },
  });
  expect(found.Items).toEqual([stored]);
  const batch = await callTable('BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key] } } });
  expect(batch.Responses?.[TableName]).toEqual([stored]);
});
