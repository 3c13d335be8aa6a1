import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
<<<<<<<< HEAD:test/infra/machine/read-bounded.test.ts
import { ANSWER_MAX_BYTES, readBounded } from '../../../infra/machine/read-bounded.ts';
========
import { ANSWER_MAX_BYTES, boundedText } from '../../../infra/machine/bounded-text.ts';
>>>>>>>> w6:test/infra/machine/bounded-text.test.ts

test('an answer without an end is read to 64 KB, and its connection is closed', async () => {
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
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
<<<<<<<< HEAD:test/infra/machine/read-bounded.test.ts
  expect(await readBounded(answer)).toBe('x'.repeat(ANSWER_MAX_BYTES));
========
  expect(await boundedText(answer)).toBe('x'.repeat(ANSWER_MAX_BYTES));
>>>>>>>> w6:test/infra/machine/bounded-text.test.ts
  await closed.promise;
});

test('a short answer is read whole, and none is empty', async () => {
<<<<<<<< HEAD:test/infra/machine/read-bounded.test.ts
  expect(await readBounded(new Response('฿5'))).toBe('฿5');
  expect(await readBounded(new Response(null))).toBe('');
========
  expect(await boundedText(new Response('฿5'))).toBe('฿5');
  expect(await boundedText(new Response(null))).toBe('');
>>>>>>>> w6:test/infra/machine/bounded-text.test.ts
});
