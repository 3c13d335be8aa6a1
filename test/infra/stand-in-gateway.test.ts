import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../shared/client/client.ts';
import { operations } from '../../shared/contract/operations.ts';
import { sendsBytes } from '../../shared/contract/stand-in-gateway.ts';
import { VARIABLES } from '../../shared/environment/variables.ts';
import { type Host, startHost } from '../support/world/host.ts';
import { sendRaw } from '../support/world/raw-request.ts';

const LONG_BYTES = 8 * 1_024;
/** What Chromium, Firefox and Safari accept when a link is followed, and for a picture of a page. */
const BROWSERS = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
  'image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5',
];
const OTHERS = ['*/*', 'application/json', 'text/plain', 'text/*', 'text/htmlx', ''];

describe('a service behind a gateway that stands in for AWS', () => {
  let host: Host;
  let qr: string;
  beforeAll(async () => {
    host = await startHost({ env: { [VARIABLES.gateway]: 'stand-in' } });
    const { checkout_url: checkout } = await createClient(host).createPayment({
      amount: { currency: 'THB', minor: 1_000 },
      method: 'promptpay',
      checkout: true,
    });
    qr = operations.getPaymentQrPng.path.replace('{token}', String(checkout).split('/').at(-1) ?? '');
  });
  afterAll(() => host.stop());

  const get = (path: string, headers: Readonly<Record<string, string>>) =>
    sendRaw(`${host.baseUrl}${path}`, { lines: Object.entries(headers) });

  test.each(['*/*', 'application/json', 'text/html'])('compresses nothing for Accept %s', async (accept) => {
    const answer = await get(operations.getOpenApi.path, { Accept: accept, 'Accept-Encoding': 'gzip' });
    expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, null]);
    expect(answer.bytes.length).toBeGreaterThan(LONG_BYTES);
    expect(JSON.parse(answer.text).openapi).toMatch(/^3\.1/);
  });

  test.each([...BROWSERS, 'image/png'])('sends the QR as PNG for Accept %s', async (accept) => {
    const answer = await get(qr, { Accept: accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(PNG.sync.read(answer.bytes).width).toBeGreaterThan(100);
  });

  test.each(OTHERS)('leads to the QR as SVG for Accept "%s"', async (accept) => {
    const answer = await get(qr, { Accept: accept });
    expect(answer.status).toBe(303);
    const picture = await fetch(String(answer.headers.get('location')));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(await picture.text()).toMatch(/^<svg /);
  });

  test('leads nowhere for a payment that cannot be paid', async () => {
    expect((await get(qr.replace('.png', 'x.png'), { Accept: '*/*' })).status).toBe(404);
  });
});

test.each([...BROWSERS, ...OTHERS, undefined])('AWS sends bytes for Accept "%s"', (accept) => {
  expect(sendsBytes(accept)).toBe(true);
});
