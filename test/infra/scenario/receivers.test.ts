import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type RunningReceivers, startReceivers } from '../../../infra/scenario/receivers.ts';

let receivers: RunningReceivers;
beforeAll(async () => {
  receivers = await startReceivers({ shop: { fail_count: 0, respond_status: 204 } }, {}, 1);
  return () => receivers.stop();
});

const EVENT = {
  type: 'payment.succeeded',
  data: { object: { number: 'P-000001', status: 'succeeded' }, previous_status: 'requires_action' },
};
const send = async (body: unknown) =>
  (await fetch(receivers.urlOf('shop'), { method: 'POST', body: String(body) })).status;

test.each([
  ['nothing', ''],
  ['no JSON', 'shop=1'],
  ['null', 'null'],
  ['a text', '"event"'],
  ['an object without an event', '{}'],
  ['an event of nothing', '{"type":"payment.succeeded","data":{"object":null}}'],
])('a receiver of a scenario refuses what is no event, and goes on: %s', async (_name, body) => {
  expect(await send(body)).toBe(400);
  expect(await send(JSON.stringify(EVENT))).toBe(204);
});

test('a receiver of a scenario reads no body without an end, and closes its connection', async () => {
  const endless = request(receivers.urlOf('shop'), { method: 'POST' });
  const closed = Promise.withResolvers<void>();
  endless.on('error', () => {}).on('close', closed.resolve);
  onTestFinished(() => void endless.destroy());
  const more = () => {
    while (endless.write('x'.repeat(16_384))) {
      // Until the connection takes no more.
    }
  };
  endless.on('drain', more);
  await once(endless, 'socket');
  more();
  await closed.promise;
  expect(await send(JSON.stringify(EVENT))).toBe(204);
});
