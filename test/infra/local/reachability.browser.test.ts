/// <reference lib="dom" />
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { isProblem } from '../../../shared/client/call-error.ts';
import { createClient } from '../../../shared/client/client.ts';
import { describeInBrowser } from '../../support/browser/browser.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { startHost } from '../../support/world/host.ts';
import { canUnshare } from './start-refused.ts';

/** Names that a DNS server, or a router, could lead to this machine: a tunnel's, an address in a network, a foreign one. */
const TUNNEL = 'shop.tunnel.example';
const LAN = '192.168.7.20';
const FOREIGN = 'evil.example';
const AMOUNT = { currency: 'THB', minor: 129_900 } as const;

/** A service that is reached from outside by a name: the tunnel and the router, which end here, are the browser's rules. */
async function startBehind(name: string) {
  const port = String(await freePort());
  const host = await startHost({ args: ['--public-url', `http://${name}:${port}`], env: { PORT: port } });
  onTestFinished(() => host.stop());
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, key: host.key });
  const { id, checkout_url } = await client.createPayment({
    amount: AMOUNT,
    method: 'promptpay',
    checkout: true,
  });
  return { host, port, client, id, checkoutUrl: String(checkout_url) };
}

describeInBrowser(
  'a page of a service that others can reach',
  ({ newPage }) => {
    test.each([
      ['a tunnel', TUNNEL],
      ['a private network', LAN],
    ])('is opened and paid by %s', async (_, name) => {
      const { port, client, id, checkoutUrl } = await startBehind(name);
      expect(new URL(checkoutUrl).host).toBe(`${name}:${port}`);
      const page = await newPage();
      expect((await page.goto(checkoutUrl))?.status()).toBe(200);
      await page.getByRole('button', { name: 'Pay', exact: true }).click();
      await expect.poll(async () => (await client.getPayment(id)).status).toBe('succeeded');
    });

    test('is refused under a foreign name that leads to it, its forms included', async () => {
      const { port, client, id, checkoutUrl } = await startBehind(TUNNEL);
      const page = await newPage();
      const address = checkoutUrl.replace(TUNNEL, FOREIGN);
      expect((await page.goto(address))?.status()).toBe(421);
      expect(await page.textContent('body')).toContain('misdirected_request');
      // A page of another site sends the form of the payer.
      await page.goto(checkoutUrl);
      const pay = await page
        .getByRole('button', { name: 'Pay', exact: true })
        .evaluate(({ form, name, value }: HTMLButtonElement) => ({
          action: new URL(form?.getAttribute('action') ?? '', location.href).href,
          name,
          value,
        }));
      await page.route(`http://${FOREIGN}:${port}/lure`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: `<form method="post" action="${pay.action}"><button name="${pay.name}" value="${pay.value}">Win</button></form>`,
        }),
      );
      await page.goto(`http://${FOREIGN}:${port}/lure`);
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      await page.getByRole('button', { name: 'Win' }).click();
      expect((await answered).status()).toBe(403);
      expect((await client.getPayment(id)).status).toBe('requires_action');
    });
  },
  async () => [
    `--host-resolver-rules=${[TUNNEL, LAN, FOREIGN].map((name) => `MAP ${name} 127.0.0.1`).join(',')}`,
  ],
);

test('what a tunnel passes on may name no endpoint on this machine, and no live key', async () => {
  const { host, client } = await startBehind(TUNNEL);
  const local = { url: 'http://127.0.0.1:3000/hook' };
  expect(await client.createWebhookEndpoint(local)).toMatchObject(local);
  const passing: typeof fetch = (url, init) =>
    fetch(url, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), 'x-forwarded-for': '203.0.113.9' },
    });
  const far = createClient({ baseUrl: host.baseUrl, key: host.key, fetch: passing });
  const refused = await far.createWebhookEndpoint(local).catch((error: unknown) => error);
  expect(isProblem(refused, 'validation_failed') && refused.errors).toEqual([
    { field: 'url', code: 'forbidden', message: 'must not lead to the machine itself' },
  ]);
  const live = createClient({ baseUrl: host.baseUrl, key: 'pg_live_1' });
  await expect(live.listPayments()).rejects.toMatchObject({ code: 'live_mode_unavailable', status: 403 });
});

test.skipIf(!canUnshare('--net'))(
  'pg start --lan listens in the private network, and says so first',
  async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'payments-lan-'));
    onTestFinished(() => rm(dir, { recursive: true, maxRetries: 5 }));
    // A network of its own, in which this machine has such an address.
    const script = `
    ip link set lo up && ip addr add ${LAN}/24 dev lo && cd ${dir}
    "$0" "$1" start --lan --memory --dir . >log 2>&1 & started=$!
    "$0" "$1" status --dir . --wait 60s >/dev/null
    for name in ${LAN} 127.0.0.1; do curl -s -o /dev/null -w '%{http_code} ' http://$name:4010/docs; done
    curl -s -o /dev/null -w '%{http_code}\\n' -H 'Host: ${FOREIGN}' http://${LAN}:4010/docs
    kill $started; wait $started; cat log`;
    const args = [
      '--map-root-user',
      '--net',
      'bash',
      '-c',
      script,
      process.execPath,
      path.resolve('infra/pg/pg.ts'),
    ];
    const env = { PATH: process.env.PATH, HOME: '/nonexistent', XDG_RUNTIME_DIR: dir };
    const { stdout } = await promisify(execFile)('unshare', args, { env });
    const [statuses = '', ...log] = stdout.split('\n');
    expect(statuses).toBe('200 200 421');
    expect(log[1]).toBe(
      `  The payment service is running. Other machines can reach it: http://${LAN}:4010. It takes test keys alone.`,
    );
    // Black and white blocks.
    expect(stdout).toMatch(/[█▀▄]{8}/);
  },
);
