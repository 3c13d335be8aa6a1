/// <reference lib="dom" />
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { BLOCKED_PORTS } from '../../../infra/local/closed-endpoint.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { mintSecret } from '../../../shared/domain/api-key.ts';
import { worldIdOf } from '../../../shared/domain/world.ts';
import { apiKeyKey, type Key, worldKey } from '../../../shared/store/table/keys.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { listenersOf } from '../../support/tools/listeners.ts';
import { clientOf } from '../../support/world/api.ts';
import { type Host, startHost } from '../../support/world/host.ts';

/** A public name that points to this machine, as its owner can arrange once the page is loaded. */
const REBOUND = 'rebound.example';
const SIGNED =
  'AWS4-HMAC-SHA256 Credential=local/20200101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none';
const FORGERY = 'DynamoDB_20120810.TransactWriteItems';

interface Call {
  readonly url: string;
  readonly target: string;
  readonly authorization: string;
  readonly body: string;
}

/** In a page: sends a call in every way that a page has. @returns the ways that got a response */
async function reachAll({ url, target, authorization, body }: Call): Promise<string[]> {
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': target,
    'X-Amz-Date': '20200101T000000Z',
    Authorization: authorization,
  };
  const signed = `${url}/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=local&X-Amz-Date=20200101T000000Z&X-Amz-SignedHeaders=host&X-Amz-Signature=none`;
  const sent = { method: 'POST', body: new Blob([body]) };
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'a call that is asked for first': () => fetch(url, { ...sent, headers }),
    'a call without its answer': () => fetch(signed, { ...sent, mode: 'no-cors' }),
    'a text without its answer': () => fetch(signed, { method: 'POST', body, mode: 'no-cors' }),
    'a look': () => fetch(url),
    XMLHttpRequest: () =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open('POST', url);
        for (const [name, value] of Object.entries(headers)) {
          request.setRequestHeader(name, value);
        }
        request.onload = resolve;
        request.onerror = reject;
        request.send(body);
      }),
  };
  const reached = await Promise.all(
    Object.entries(ways).map(([way, send]) =>
      send().then(
        () => way,
        () => null,
      ),
    ),
  );
  return reached.filter((way) => way !== null);
}

/** A page of a foreign web site, which a server on this machine serves. */
async function startForeignSite(): Promise<{ server: Server; url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Cats</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** A live key of the demo merchant, and the call to the store that makes it work. */
async function forgedKey({ key, tableName, dynamodbEndpoint }: Host) {
  const client = new DynamoDBClient({
    endpoint: dynamodbEndpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const itemAt = async (at: Key) => {
    const { Item: item } = await client.send(new GetItemCommand({ TableName: tableName, Key: marshall(at) }));
    return unmarshall(item ?? {});
  };
  const own = await itemAt(apiKeyKey(key));
  const world = await itemAt(worldKey(worldIdOf(own.merchant, 'test')));
  client.destroy();
  const secret = mintSecret('live');
  const worldId = worldIdOf(own.merchant, 'live');
  const forged = [
    { ...world, ...worldKey(worldId), id: worldId, mode: 'live' },
    { ...own, ...apiKeyKey(secret), id: 'key_forged', mode: 'live', worldId },
  ];
  const TransactItems = forged.map((item) => ({ Put: { TableName: tableName, Item: marshall(item) } }));
  return { secret, body: JSON.stringify({ TransactItems }) };
}

describeInBrowser(
  'a web page of another site',
  ({ newPage }) => {
    afterAll(() => host?.stop());

    /** A page under the name that points to this machine, with the origin of what listens there. */
    async function reboundPage({ port }: URL, foreign: string): Promise<Page> {
      const page = await newPage();
      const hasGone = await page.goto(`http://${REBOUND}:${port}/`).then(
        () => true,
        () => false,
      );
      return hasGone ? page : pageAt(foreign);
    }

    async function pageAt(address: string): Promise<Page> {
      const page = await newPage();
      await page.goto(address);
      return page;
    }

    test('reaches only the API, on every address and by every name', async () => {
      const { server, url: foreign } = await startForeignSite();
      const api = new URL(host.baseUrl);
      const listeners = await listenersOf(Number(host.process.pid));
      expect(listeners.map(({ port }) => port)).toEqual(
        expect.arrayContaining([api.port, new URL(host.dynamodbEndpoint).port]),
      );
      const { secret, body } = await forgedKey(host);
      const call = { target: FORGERY, authorization: SIGNED, body };
      const page = await pageAt(foreign);
      const reached: string[] = [];
      for (const listener of listeners.filter(({ port }) => port !== api.port)) {
        const rebound = await reboundPage(listener, foreign);
        const ways = {
          'another origin': await page.evaluate(reachAll, { ...call, url: listener.origin }),
          'its own name': await rebound.evaluate(reachAll, {
            ...call,
            url: `http://${REBOUND}:${listener.port}`,
          }),
        };
        for (const [from, all] of Object.entries(ways)) {
          reached.push(...all.map((way) => `${listener.origin} from ${from} by ${way}`));
        }
      }
      const { status } = await clientOf(secret, host.baseUrl)(operations.listPayments);
      const atApi = await page.evaluate(reachAll, { ...call, url: host.baseUrl });
      server.close();
      server.closeAllConnections();
      expect({ reached, status }).toEqual({ reached: [], status: 401 });
      // So a page can reach the API, but reads nothing there.
      expect(atApi).toEqual(['a call without its answer', 'a text without its answer']);
    });

    test.for(BLOCKED_PORTS)('cannot open port %i, which browsers block', async (port) => {
      const page = await newPage();
      await expect(page.goto(`http://127.0.0.1:${port}/`)).rejects.toThrow('ERR_UNSAFE_PORT');
    });
  },
  async () => {
    host = await startHost();
    return [`--host-resolver-rules=MAP ${REBOUND} ${new URL(host.dynamodbEndpoint).hostname}`];
  },
);

let host: Host;
