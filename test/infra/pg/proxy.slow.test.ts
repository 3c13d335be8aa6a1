import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { operations } from '../../../shared/contract/operations.ts';
import { clientOf } from '../../support/world/api.ts';
import { startHost } from '../../support/world/host.ts';
import { baseUrl, newKey } from '../../support/world/merchant.ts';
import { createPayment } from '../../support/world/resources.ts';

/** A proxy that passes nothing on, and counts what it gets. */
let taken = 0;
const proxy = createServer((_request, response) => {
  taken += 1;
  response.writeHead(502).end();
}).on('connect', (_request, socket) => {
  taken += 1;
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
});
proxy.listen(0, '127.0.0.1');
await once(proxy, 'listening');
afterAll(() => proxy.close());
const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const { secret } = await newKey();

const PYTHON = `
import sys
from unittest.mock import MagicMock
sys.modules.update({name: MagicMock() for name in ("pytest", "standardwebhooks", "standardwebhooks.webhooks")})
sys.dont_write_bytecode = True
sys.path.insert(0, "shared/client/python")
from payments_testing import Service
Service(sys.argv[1], sys.argv[2]).call("GET", "/key")
`;
const CLIENT = `
import { createClient } from './shared/client/client.ts';
await createClient({ baseUrl: process.argv[1], key: process.argv[2] }).getKey();
`;

/** What sends every request of a program through the proxy. */
const PROXIED = {
  NODE_USE_ENV_PROXY: '1',
  no_proxy: '',
  NO_PROXY: '',
  ...Object.fromEntries(
    ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].map((name) => [name, address]),
  ),
};

function run(command: string, args: readonly string[]): Promise<Error | null> {
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: secret, ...PROXIED };
  return new Promise((resolve) => execFile(command, args, { env }, resolve));
}

test.each<[string, string, string[]]>([
  ['pg payments list', process.execPath, ['infra/pg/pg.ts', 'payments', 'list']],
  ['pg trigger', process.execPath, ['infra/pg/pg.ts', 'trigger', 'payment.succeeded']],
  [
    'pg scenario run',
    process.execPath,
    ['infra/pg/pg.ts', 'scenario', 'run', 'test/scenarios/happy-path.yaml'],
  ],
  ['the client', process.execPath, ['--input-type=module-typescript', '-e', CLIENT, baseUrl, secret]],
  ['the Python helper', 'python3', ['-c', PYTHON, baseUrl, secret]],
])('%s reaches this machine without the proxy that the environment names', async (_name, command, args) => {
  const before = taken;
  expect((await run(command, args))?.message).toBeUndefined();
  expect(taken).toBe(before);
});

test('the local service, its webhooks and its operators need no proxy that the environment names', async () => {
  const before = taken;
  const host = await startHost({ env: PROXIED });
  try {
    const api = clientOf(host.key, host.baseUrl);
    const { id } = (await api(operations.createWebhookSink)).json;
    await createPayment(api);
    const received = async () =>
      (await api(operations.getWebhookSink, { params: { id } })).json.received_count;
    await expect.poll(received).toBeGreaterThan(0);
    const error = await run(process.execPath, ['infra/pg/pg.ts', 'admin', 'keys', 'list', '--dir', host.dir]);
    expect(error?.message).toBeUndefined();
  } finally {
    await host.stop();
  }
  expect(taken).toBe(before);
});
