import { once } from 'node:events';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { createClient } from '../../shared/client/client.ts';
import { type InstalledPackage, installPackage, STRICT } from '../support/tools/installed-package.ts';
import { baseUrl, newKey } from '../support/world/merchant.ts';

const ROOT = process.cwd();
const readme = await readFile('shared/client/README.md', 'utf8');
/** The recipes of the README, by the names that it gives them. */
const RECIPES = [...readme.matchAll(/```ts (\w+\.ts)\n(.*?)```/gs)].map(
  ([, name = '', text = '']) => [name, text] as const,
);
/** What they are used with, of the repository's own. */
const USED = ['express', 'hono', '@types'];

const [SECRET, OLD_SECRET, OTHER_SECRET] = [1, 2, 3].map(
  (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
) as [string, string, string];

type Headers = Readonly<Record<string, string>>;
/** Posts a delivery to a recipe, as its platform does. */
type Post = (body: Buffer<ArrayBuffer>, headers: Headers) => Promise<number>;

let client: InstalledPackage;

beforeAll(async () => {
  client = await installPackage({ packedIn: inject('runFolder') });
  await Promise.all([
    ...RECIPES.map(([name, text]) => writeFile(path.join(client.dir, name), text)),
    ...USED.map((name) =>
      symlink(path.join(ROOT, 'node_modules', name), path.join(client.dir, 'node_modules', name)),
    ),
    writeFile(path.join(client.dir, 'package.json'), JSON.stringify({ type: 'module' })),
  ]);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});
afterAll(() => client?.remove());

async function load<Module>(name: string): Promise<Module> {
  return import(path.join(client.dir, name));
}

async function postToExpress(body: Buffer<ArrayBuffer>, headers: Headers): Promise<number> {
  const { app } = await load<{ app: { listen(port: number, host: string): Server } }>('express.ts');
  const server = app.listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/webhooks`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  } finally {
    server.close();
    await once(server, 'close');
  }
}

function requestOf(body: Buffer<ArrayBuffer>, headers: Headers): Request {
  return new Request('http://shop.example/webhooks', { method: 'POST', headers, body });
}

async function postToHono(body: Buffer<ArrayBuffer>, headers: Headers): Promise<number> {
  const { app } = await load<{ app: { fetch(request: Request): Promise<Response> } }>('hono.ts');
  return (await app.fetch(requestOf(body, headers))).status;
}

/** Next.js itself is large; what it gives to a route handler is a `Request` of the platform. */
async function postToNext(body: Buffer<ArrayBuffer>, headers: Headers): Promise<number> {
  const { POST } = await load<{ POST: (request: Request) => Promise<Response> }>('route.ts');
  return (await POST(requestOf(body, headers))).status;
}

/** As API Gateway gives it: text that it takes for text, anything else as Base64. */
function postToLambda(encoding: 'utf8' | 'base64'): Post {
  return async (body, headers) => {
    const { handler } = await load<{
      handler: (event: APIGatewayProxyEventV2) => Promise<{ statusCode: number }>;
    }>('lambda.ts');
    const event = { version: '2.0', headers, isBase64Encoded: encoding === 'base64' };
    const given = body.length === 0 ? {} : { body: body.toString(encoding) };
    return (await handler({ ...event, ...given } as APIGatewayProxyEventV2)).statusCode;
  };
}

/** A delivery that the library of Standard Webhooks has signed with these secrets. */
function signed(body: string, ...secrets: readonly string[]): Headers {
  const at = new Date();
  return {
    'content-type': 'application/json',
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign('evt_1', at, body)).join(' '),
  };
}

/** What no parser would write again as it was: spaces, an escape, a number with a fraction of nothing. */
const BODY = '{ "id": "evt_1", "type": "payout.paid", "note": "จ่าย\\u0e41ล้ว", "minor": 1.0 }\n';

describe.each<[string, Post]>([
  ['Express', postToExpress],
  ['Hono', postToHono],
  ['Next.js', postToNext],
  ['a Lambda, given text', postToLambda('utf8')],
  ['a Lambda, given Base64', postToLambda('base64')],
])('the recipe of the README for %s', (_, post) => {
  test('accepts what the service delivers, and acts on it', async () => {
    const { secret: key } = await newKey();
    const service = createClient({ key, baseUrl });
    const { id } = await service.createWebhookSink();
    const payment = await service.createPayment({
      amount: { currency: 'THB', minor: 129_900 },
      method: 'promptpay',
      description: 'ตั๋วสองใบไปเชียงใหม่',
    });
    await service.simulatePayment(payment.id, { outcome: 'succeeded' });
    await service.advanceClock({ seconds: 1 });
    vi.stubEnv('WEBHOOK_SECRETS', (await service.getWebhookSink(id)).secret);
    const [delivery] = (await service.listDeliveries(id, { limit: 1 })).data;
    const { body = '', request_headers: headers = {}, event_id } = delivery ?? {};
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    expect(await post(Buffer.from(body), headers)).toBe(204);
    expect(log.mock.calls).toEqual([[event_id, 'paid', payment.number]]);
  });

  test('accepts a body as it was sent, and refuses it with any byte changed', async () => {
    vi.stubEnv('WEBHOOK_SECRETS', SECRET);
    const [bytes, headers] = [Buffer.from(BODY), signed(BODY, SECRET)];
    expect(await post(bytes, headers)).toBe(204);
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index] = (bytes[index] ?? 0) ^ 1;
      expect(await post(changed, headers)).toBe(400);
    }
    expect(await post(bytes.subarray(1), headers)).toBe(400);
    expect(await post(Buffer.alloc(0), headers)).toBe(400);
    expect(await post(bytes, { ...headers, 'webhook-id': 'evt_2' })).toBe(400);
    expect(await post(bytes, { 'content-type': 'application/json' })).toBe(400);
  });

  test('fails if its secret is missing, and does not respond with 400', async () => {
    vi.stubEnv('WEBHOOK_SECRETS', undefined);
    vi.spyOn(console, 'error').mockImplementation(() => {});
    // The platform responds with 500 where a recipe throws.
    expect(await post(Buffer.from(BODY), signed(BODY, SECRET)).catch(() => 500)).toBe(500);
  });

  test.each<[string, string, string[], number]>([
    ['with both secrets, for who knows the old one', OLD_SECRET, [SECRET, OLD_SECRET], 204],
    ['with both secrets, for who knows the new one', SECRET, [SECRET, OLD_SECRET], 204],
    ['with both secrets, for who knows both', `${SECRET} ${OLD_SECRET}`, [SECRET, OLD_SECRET], 204],
    ['with the old secret, for who knows both', `${SECRET} ${OLD_SECRET}`, [OLD_SECRET], 204],
    ['with both secrets, for who knows neither', OTHER_SECRET, [SECRET, OLD_SECRET], 400],
  ])('responds correctly to a delivery that is signed %s', async (_signed, known, signers, status) => {
    vi.stubEnv('WEBHOOK_SECRETS', known);
    expect(await post(Buffer.from(BODY), signed(BODY, ...signers))).toBe(status);
  });
});

describe('the recipes of the README', () => {
  test('are all run by these tests', () => {
    expect(RECIPES.map(([name]) => name)).toEqual([
      'receive.ts',
      'express.ts',
      'hono.ts',
      'route.ts',
      'lambda.ts',
    ]);
  });

  test('compile in a strict program', async () => {
    const compilerOptions = {
      ...STRICT,
      module: 'nodenext',
      types: ['node'],
      allowImportingTsExtensions: true,
      // Hono's own types require more than Node has.
      skipLibCheck: true,
    };
    await client.compile('.', { compilerOptions });
  });
});
