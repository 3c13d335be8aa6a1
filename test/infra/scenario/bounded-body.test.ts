import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { boundedText } from '../../../infra/scenario/bounded-body.ts';

test('an response without an end is read to 64 KB, and its connection is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(16_384))) {
        // Until the connection takes no more.
      }
    };
    response.on('drain', more).on('close', closed.resolve);
    more();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await boundedText(response)).toBe('x'.repeat(64 * 1_024));
  await closed.promise;
});

test('a short response is read whole, and none is empty', async () => {
  expect(await boundedText(new Response('฿5'))).toBe('฿5');
  expect(await boundedText(new Response(null))).toBe('');
});
