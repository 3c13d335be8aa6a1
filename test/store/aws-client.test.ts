import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { GetCommandInput, GetCommandOutput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { createTable } from '../../infra/local/store.ts';
import { AwsClient } from '../../shared/store/aws-client.ts';
import '../support/merchant.ts';

const { DYNAMODB, dynamodb } = await import('../../shared/store/client.ts');

/** The variable for one service; the other one is for all of AWS. */
const ENDPOINT = 'TEST_ENDPOINT_URL';
const AWS = 'AWS_ENDPOINT_URL';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse) => unknown;

const says =
  (status: number, body: string, headers = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body);
const refuses = (name: string, fields: object = {}): Answer =>
  says(400, JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, ...fields }));

const DONE = says(200, '{}');
const SILENT: Answer = () => undefined;

/** What goes wrong for once, and whether that is the service's load. */
const PASSING: readonly (readonly [what: string, answer: Answer])[] = [
  ['breaks the connection', (response) => response.socket?.destroy()],
  ['shows a page with status 500', says(500, '<html>Bad gateway</html>')],
  ['is not available', says(503, '{"__type":"ServiceUnavailable"}')],
  ['is throttled', refuses('ThrottlingException')],
  ['has too little throughput', refuses('ProvisionedThroughputExceededException')],
  ['gets too many requests', says(429, '')],
  ['is busy with the same transaction', refuses('TransactionInProgressException')],
  ['ends the response with success in the middle of its JSON', says(200, '{"Item":{"pk":{"S":"a')],
  ['responds with success and nothing', says(200, '')],
  [
    'breaks the connection in the middle of the response',
    (response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{"Item":', () => response.destroy());
    },
  ],
];

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
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
  vi.stubEnv(ENDPOINT, `http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...newClient(), received };
}

function newClient() {
  const client = new AwsClient<{ GetItem: [GetCommandInput, GetCommandOutput] }>({
    ...DYNAMODB,
    endpointVariable: ENDPOINT,
  });
  return { client, read: () => client.call('GetItem', { TableName: 't', Key: { pk: 'a' } }) };
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
  vi.stubEnv('AWS_REGION', 'ap-southeast-7');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKID');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  // Retries come at once.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(() => {
  // In this order, since a timer may be mocked too.
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

describe('a signature', () => {
  /** That of a received request, computed as AWS documents it (Signature Version 4). */
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

  test('is valid at AWS: over the body, the operation and the session', async () => {
    const { read, received } = await clientOf();
    vi.stubEnv('AWS_SESSION_TOKEN', 'session');
    await read();
    const [request] = received as [Received];
    const { authorization = '' } = request.headers;
    const [, key, names = '', signature] =
      /^AWS4-HMAC-SHA256 Credential=(\w+)\/.*, SignedHeaders=(\S+), Signature=(\w{64})$/.exec(
        authorization,
      ) ?? [];
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

  describe('whose time is wrong', () => {
    const AHEAD_MS = 10 * 60_000;
    const refusesTime = (aheadMs: number) => (response: ServerResponse) => {
      response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString());
      return refuses('InvalidSignatureException', { message: 'Signature expired' })(response);
    };
    /** How far the time of a signature is ahead of this machine's clock, in whole minutes. */
    const minutesAhead = ({ headers }: Received) => {
      const time = String(headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
      return Math.round((Date.parse(time) - Date.now()) / 60_000) || 0;
    };

    test.each([AHEAD_MS, -AHEAD_MS])(
      'is made again by the clock of the service, and so are the next: %i ms ahead',
      async (aheadMs) => {
        const { read, received } = await clientOf(refusesTime(aheadMs), DONE);
        await read();
        await read();
        expect(received.map(minutesAhead)).toEqual([0, aheadMs / 60_000, aheadMs / 60_000]);
      },
    );

    test('is made again for each of the calls that are refused at once', async () => {
      const refused = refusesTime(AHEAD_MS);
      const both = Promise.withResolvers<void>();
      const { read, received } = await clientOf(async (response) => {
        if (received.length === 2) {
          both.resolve();
        }
        await both.promise;
        return received.length <= 2 ? refused(response) : DONE(response);
      });
      await Promise.all([read(), read()]);
      expect(received.map(minutesAhead)).toEqual([0, 0, 10, 10]);
    });

    test('is made again once, if the service then refuses the signature for another reason', async () => {
      const { read, received } = await clientOf(refusesTime(AHEAD_MS));
      await expect(read()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
      expect(received).toHaveLength(2);
    });

    test('is not assumed while both clocks agree: the secret may be wrong', async () => {
      const { read, received } = await clientOf(refusesTime(0));
      await expect(read()).rejects.toMatchObject({ name: 'InvalidSignatureException' });
      expect(received).toHaveLength(1);
    });

    test('is not assumed after a refusal that has nothing to do with it', async () => {
      const { read, received } = await clientOf((response) => {
        response.setHeader('date', new Date(0).toUTCString());
        return refuses('ConditionalCheckFailedException')(response);
      });
      await expect(read()).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
      expect(received).toHaveLength(1);
    });
  });
});

describe('a call', () => {
  test.each(PASSING)('whose service %s is repeated as it was, three times at most', async (_, answer) => {
    const failing = await clientOf(answer);
    await expect(failing.read()).rejects.toThrow();
    expect(failing.received).toHaveLength(3);
    expect(new Set(failing.received.map(({ body }) => body)).size).toBe(1);
    const healed = await clientOf(answer, answer, DONE);
    await healed.read();
    expect(healed.received).toHaveLength(3);
  });

  test.each(['ValidationException', 'ConditionalCheckFailedException', 'AccessDeniedException'])(
    'that is refused is not repeated, and says why: %s',
    async (name) => {
      const { read, received } = await clientOf(refuses(name, { message: 'no' }));
      await expect(read()).rejects.toMatchObject({
        name,
        message: 'no',
        $fault: 'client',
        $metadata: { httpStatusCode: 400 },
      });
      expect(received).toHaveLength(1);
    },
  );

  test('that is a canceled transaction is not repeated, and says of each write why', async () => {
    const CancellationReasons = [
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Item: { pk: { S: 'a' }, count: { N: '1' } } },
    ];
    const { read, received } = await clientOf(
      refuses('TransactionCanceledException', { CancellationReasons }),
    );
    await expect(read()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Item: { pk: 'a', count: 1 } }],
    });
    expect(received).toHaveLength(1);
  });

  test('goes to the endpoint of the service, else to that for all of AWS', async () => {
    const { read, received } = await clientOf();
    vi.stubEnv(AWS, String(process.env[ENDPOINT]));
    vi.stubEnv(ENDPOINT, '');
    await read();
    expect(received).toHaveLength(1);
    vi.stubEnv(ENDPOINT, 'http://127.0.0.1:9');
    await expect(newClient().read()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test.each(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'without %s is not sent, and the error names it',
    async (name) => {
      const { read, received } = await clientOf();
      vi.stubEnv(name, '');
      await expect(read()).rejects.toThrow(`${name} is not set`);
      expect(received).toEqual([]);
    },
  );
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

  /** Sends a part of a response, and returns when the client has read it: its time starts again. */
  async function sendPart(response: ServerResponse, part: string): Promise<void> {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    response.write(part);
    await until(() => timers.mock.calls.length > 0);
    timers.mockRestore();
  }

  test('ends an attempt whose response stops in the middle, and the next one succeeds', async () => {
    stopTimers();
    const half: Answer = async (response) => {
      response.writeHead(200, { 'content-length': 9 });
      await sendPart(response, '{"It');
      await vi.advanceTimersByTimeAsync(3_060);
    };
    const { read, received } = await clientOf(half, DONE);
    await read();
    expect(received).toHaveLength(2);
  });

  test('spares a long response that keeps coming', async () => {
    stopTimers();
    const { read, received } = await clientOf(async (response) => {
      response.writeHead(200);
      for (const part of ['{', '"Item":', '{"pk":', '{"S":"a"}', '}}']) {
        await sendPart(response, part);
        await vi.advanceTimersByTimeAsync(2_900);
      }
      response.end();
    });
    expect((await read()).Item).toEqual({ pk: 'a' });
    expect(received).toHaveLength(1);
  });

  test('ends an attempt that finds no connection after one second', async () => {
    stopTimers();
    let connections = 0;
    // Accepts connections, and never begins TLS.
    const server = createTcpServer((socket) => {
      connections += 1;
      socket.on('error', () => undefined);
    });
    const port = await listen(server);
    onTestFinished(() => {
      server.close();
    });
    vi.stubEnv(ENDPOINT, `https://127.0.0.1:${port}`);
    const failed = expect(newClient().read()).rejects.toMatchObject({ name: 'TimeoutError' });
    for (const attempt of [1, 2, 3]) {
      await until(() => connections === attempt);
      await vi.advanceTimersByTimeAsync(950);
      expect(connections).toBe(attempt);
      await vi.advanceTimersByTimeAsync(60);
    }
    await failed;
  });

  test('does not end a call that waits for the responses of others', async () => {
    stopTimers();
    const [early, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { read, received } = await clientOf(async (response) => {
      await (received.length <= 50 ? early.promise : late.promise);
      DONE(response);
    });
    let responses = 0;
    const all = Promise.all(
      Array.from({ length: 51 }, async () => {
        await read();
        responses += 1;
      }),
    );
    await until(() => received.length === 50);
    // Each gets its response 2.9 seconds after it was sent, of the 3 that it may take.
    vi.advanceTimersByTime(2_900);
    early.resolve();
    await until(() => responses === 50 && received.length === 51);
    vi.advanceTimersByTime(2_900);
    late.resolve();
    await all;
    expect(received).toHaveLength(51);
  });
});

describe('an interceptor', () => {
  test('wraps each attempt, sees the name of the step, and may change the call', async () => {
    const { client, received } = await clientOf(refuses('ThrottlingException'), DONE);
    const steps: (string | undefined)[] = [];
    const stop = client.use((call, next) => {
      steps.push(call.step);
      return next({ ...call, input: { ...call.input, ConsistentRead: true } });
    });
    await client.call('GetItem', { TableName: 't', Key: { pk: 'a' } }, 'a step');
    stop();
    await client.call('GetItem', { TableName: 't', Key: { pk: 'a' } }, 'another');
    expect(steps).toEqual(['a step', 'a step']);
    const key = { TableName: 't', Key: { pk: { S: 'a' } } };
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([
      { ...key, ConsistentRead: true },
      { ...key, ConsistentRead: true },
      key,
    ]);
    expect(JSON.stringify(received)).not.toContain('step');
  });

  test('may hold any number of calls forever, and others go on', async () => {
    const { client, read, received } = await clientOf();
    let isHolding = true;
    client.use((call, next) => (isHolding ? new Promise(() => undefined) : next(call)));
    for (let held = 0; held < 60; held += 1) {
      read();
    }
    isHolding = false;
    await read();
    expect(received).toHaveLength(1);
  });
});

test('values come back as stored: bytes, sets, numbers, lists, attributes called B, BS and Item', async () => {
  vi.unstubAllEnvs();
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
    await new DynamoDBClient({ endpoint }).send(new DeleteTableCommand({ TableName }));
  });
  const Key = { pk: item.pk, sk: item.sk };
  const { missing: _, ...nested } = item.nested;
  const stored = { ...item, nested, buffer: new Uint8Array(item.buffer) };
  await dynamodb.call('PutItem', { TableName, Item: item });
  expect((await dynamodb.call('GetItem', { TableName, Key })).Item).toEqual(stored);
  const found = await dynamodb.call('Query', {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': item.pk },
  });
  expect(found.Items).toEqual([stored]);
  const batch = await dynamodb.call('BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key] } } });
  expect(batch.Responses?.[TableName]).toEqual([stored]);
  // So does the item that a failed condition returns.
  const refused = dynamodb.call('UpdateItem', {
    TableName,
    Key,
    UpdateExpression: 'SET emoji = :none',
    ConditionExpression: 'emoji = :none',
    ExpressionAttributeValues: { ':none': '' },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  await expect(refused).rejects.toMatchObject({ name: 'ConditionalCheckFailedException', Item: stored });
});
