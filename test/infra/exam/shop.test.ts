import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { askProbe, expectReachable, openOrder, ShopError } from '../../../infra/exam/shop.ts';
import { startForgetfulServer } from '../../support/tools/forgetful-server.ts';

const AMOUNT = { currency: 'THB', minor: 129_900 } as const;

/** A shop that answers everything alike, and keeps the requests. */
async function startShop(status: number, answer: string) {
  const requests: { line: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    response.writeHead(status).end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/at?shop=1`, requests };
}

describe('the address that opens orders', () => {
  test('gets the order, with the key of the world', async () => {
    const { url, requests } = await startShop(201, '{"payment_id":"pay_1"}');
    expect(await openOrder(url, 'exam-1', AMOUNT, 'pg_test_key')).toBe('pay_1');
    const [request] = requests;
    expect(request?.line).toBe('POST /at?shop=1');
    expect(request?.headers).toMatchObject({ 'x-pg-key': 'pg_test_key', 'content-type': 'application/json' });
    expect(request?.headers).not.toHaveProperty('x-pg-base-url');
    expect(JSON.parse(String(request?.body))).toEqual({ reference: 'exam-1', amount: AMOUNT });
  });

  test.each(['', '{}', 'created', '{"payment_id":null}', '[]'])(
    'names no payment by the answer %j, so the exam creates it',
    async (answer) => {
      const { url } = await startShop(200, answer);
      expect(await openOrder(url, 'exam-1', AMOUNT, 'pg_test_key')).toBeNull();
    },
  );

  test.each([302, 400, 500])('is refused with a sentence if it answers %i', async (status) => {
    const { url } = await startShop(status, 'no');
    const opening = openOrder(url, 'exam-1', AMOUNT, 'pg_test_key');
    await expect(opening).rejects.toThrow(
      new ShopError(`the POST to --order was answered ${status}, and not 2xx: no`),
    );
  });
});

describe('the probe', () => {
  test('is asked for an order beside what its address has already', async () => {
    const { url, requests } = await startShop(
      200,
      '{"paid":true,"fulfilled":1,"refunded_minor":300,"more":1}',
    );
    expect(await askProbe(url, 'exam-1')).toEqual({ paid: true, fulfilled: 1, refundedMinor: 300 });
    expect(requests[0]?.line).toBe('GET /at?shop=1&reference=exam-1');
  });

  test('may say nothing of refunds, and may not know an order', async () => {
    const { url } = await startShop(200, '{"paid":false,"fulfilled":0}');
    expect(await askProbe(url, 'exam-1')).toEqual({ paid: false, fulfilled: 0, refundedMinor: null });
    expect(await askProbe((await startShop(404, 'unknown')).url, 'exam-1')).toBeNull();
  });

  test.each([
    [200, 'yes'],
    [200, '{"paid":1,"fulfilled":0,"refunded_minor":0}'],
    [200, '{"paid":true,"fulfilled":0.5,"refunded_minor":0}'],
    [500, '{"paid":true,"fulfilled":1,"refunded_minor":0}'],
  ])('is refused with a sentence if it answers %i %s', async (status, answer) => {
    const { url } = await startShop(status, answer);
    await expect(askProbe(url, 'exam-1')).rejects.toThrow(
      `was answered ${status} ${answer}, and not 200 {"paid"`,
    );
  });

  test('is refused with a sentence if nobody answers', async () => {
    await expect(askProbe('http://127.0.0.1:1/', 'exam-1')).rejects.toThrow(ShopError);
  });
});

describe('a shop whose server closes idle connections', () => {
  test('is asked for every order, on a connection of its own for each request', async () => {
    const said = { paid: true, fulfilled: 1, refunded_minor: 0, payment_id: 'pay_1' };
    const url = await startForgetfulServer((_, response) => response.end(JSON.stringify(said)));
    for (let count = 0; count < 10; count += 1) {
      expect(await openOrder(url, 'exam-1', AMOUNT, 'pg_test_key')).toBe('pay_1');
      expect(await askProbe(url, 'exam-1')).toMatchObject({ paid: true });
    }
  });

  test('is there although it answers nothing but POST requests', async () => {
    const url = await startForgetfulServer((request) => request.socket.destroy());
    await expect(expectReachable(url)).resolves.toBeUndefined();
  });
});
