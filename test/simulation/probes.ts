import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { pick } from '../faults/model/commands.ts';
import type { Sent } from '../support/world/send.ts';
import type { Scene } from './scene.ts';
import type { SimulatedRequest } from './simulated-service.ts';

/*
 * Requests that the contract refuses, whatever state the world is in, each with the answer that it must get.
 */

interface Refusal {
  readonly status: number;
  readonly code: string;
}

interface Probe {
  readonly name: string;
  readonly run: (scene: Scene, index: number) => Promise<void>;
}

const DAY_SECONDS = 86_400;
const ADVANCE_MAX_SECONDS = 31_622_400;
const CLOCK_OFFSET_MAX_SECONDS = 2 * ADVANCE_MAX_SECONDS;
const NOBODY = 'pay_01ke60bhqwej8awb4fnyv9f0p9';
const FORBIDDEN_URLS = [
  'https://169.254.169.254/latest',
  'https://[::1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
  'https://10.0.0.1/hook',
  'https://shop.internal/hook',
  'https://localhost/hook',
  'http://shop.example.com/hook',
  'https://user:pass@shop.example.com/hook',
];
const PAYMENT = { amount: { currency: 'THB', minor: 1_000 } };

export const PROBES: readonly Probe[] = [
  probe(
    'an Idempotency-Key of 256 characters',
    operations.createPayment,
    { body: PAYMENT },
    { status: 400, code: 'idempotency_key_invalid' },
    (request) => ({
      ...request,
      headers: { ...request.headers, 'Idempotency-Key': 'k'.repeat(256) },
    }),
  ),
  probe(
    'a body that names another payment than the path',
    operations.simulatePayment,
    { params: { id: NOBODY }, body: { outcome: 'succeeded', payment_id: NOBODY.replace('p9', 'pa') } },
    { status: 422, code: 'validation_failed' },
  ),
  probe(
    'an unknown field',
    operations.createPayment,
    { body: { ...PAYMENT, colour: 'red' } },
    { status: 422, code: 'validation_failed' },
  ),
  probe(
    'a payment of nothing',
    operations.createPayment,
    { body: { amount: { currency: 'THB', minor: 0 } } },
    { status: 422, code: 'validation_failed' },
  ),
  probe(
    'a payment that nobody has',
    operations.getPayment,
    { params: { id: NOBODY } },
    { status: 404, code: 'payment_not_found' },
  ),
  {
    name: 'an id of another merchant',
    run: async (scene) => {
      const id = scene.watch.answers.foreignId(scene.merchant, 'pay');
      if (id !== undefined) {
        const answer = await scene.client.sendUntilAnswered(
          scene.client.requestOf(operations.getPayment, { params: { id } }, ''),
        );
        expectRefusal(scene, 'an id of another merchant', answer, { status: 404, code: 'payment_not_found' });
      }
    },
  },
  {
    name: 'a mistyped key',
    run: async (scene) => {
      const { secret } = scene.client;
      const mistyped = secret.slice(0, -1) + (secret.endsWith('a') ? 'b' : 'a');
      const answer = await withKey(scene, mistyped, operations.listPayments);
      expectRefusal(scene, 'a mistyped key', answer, { status: 401, code: 'api_key_invalid' });
      if (answer.storeCalls > 0) {
        scene.watch.break('refused', 'a mistyped key costs a read of the store');
      }
    },
  },
  keyProbe('a key without the permission', 'reader', operations.createPayment, {
    status: 403,
    code: 'permission_denied',
  }),
  keyProbe('the test kit with a live key', 'live', operations.getClock, {
    status: 403,
    code: 'test_mode_only',
  }),
  keyProbe('deliveries with a live key for the test kit alone', 'live', operations.listEventDeliveries, {
    status: 403,
    code: 'permission_denied',
  }),
  keyProbe('a key that has ended', 'ended', operations.listPayments, {
    status: 401,
    code: 'api_key_expired',
  }),
  keyProbe(
    'a key from another network',
    'networked',
    operations.listPayments,
    { status: 403, code: 'ip_not_allowed' },
    '192.0.2.1',
  ),
  ...['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::7'].map((address) => ({
    name: `a key from its network, ${address}`,
    run: async (scene: Scene) => {
      const answer = await withKey(scene, scene.keys.networked, operations.listPayments, address);
      if (answer.status !== 200) {
        scene.watch.break('refused', `a key is refused in its own network ${address}: ${answer.json.code}`);
      }
    },
  })),
  ...FORBIDDEN_URLS.map((url) =>
    probe(
      `a webhook endpoint at ${url}`,
      operations.createWebhookEndpoint,
      { body: { url } },
      { status: 422, code: 'validation_failed' },
    ),
  ),
  {
    name: 'a clock more than two years ahead',
    run: async (scene, index) => {
      if (index === 0) {
        // Some days are left for the end of the story.
        for (const [part, seconds] of [
          ['first', ADVANCE_MAX_SECONDS],
          ['second', ADVANCE_MAX_SECONDS - 20 * DAY_SECONDS],
          ['third', 21 * DAY_SECONDS],
        ] as const) {
          await scene.pass(seconds, part);
        }
        const { json } = await scene.call(operations.getClock, {});
        if (Number(json.offset_seconds) > CLOCK_OFFSET_MAX_SECONDS) {
          scene.watch.break('refused', `the clock is ${json.offset_seconds} s ahead`);
        }
      }
    },
  },
  {
    name: 'more of a payment than is left',
    run: async (scene, index) => {
      const payment = pick(scene.known.payments, { index });
      if (payment !== undefined) {
        const body = { amount: { currency: 'THB', minor: 999_999_999_999 } };
        const { status } = await scene.call(operations.requestRefund, { params: { id: payment.id }, body });
        if (status < 300) {
          // Only a payment of that amount, of which nothing was refunded, is taken.
          const { amount } = (await scene.call(operations.getPayment, { params: { id: payment.id } }))
            .json as { amount?: { minor: number } };
          if (amount?.minor !== 999_999_999_999) {
            scene.watch.break('refused', `${payment.id} lets more be refunded than was paid`);
          }
        }
      }
    },
  },
];

function probe(
  name: string,
  row: Operation,
  sent: Sent,
  refusal: Refusal,
  change: (request: SimulatedRequest) => SimulatedRequest = (request) => request,
): Probe {
  return {
    name,
    run: async (scene) => {
      const request = change(scene.client.requestOf(row, sent, scene.keyOf('probe')));
      expectRefusal(scene, name, await scene.client.sendUntilAnswered(request), refusal);
    },
  };
}

/** A request with another key of the merchant. */
function keyProbe(
  name: string,
  key: keyof Scene['keys'],
  row: Operation,
  refusal: Refusal,
  sourceIp?: string,
): Probe {
  return {
    name,
    run: async (scene) => {
      expectRefusal(scene, name, await withKey(scene, scene.keys[key], row, sourceIp), refusal);
    },
  };
}

function withKey(scene: Scene, secret: string, row: Operation, sourceIp?: string) {
  const request = scene.client.requestOf(
    row,
    { params: { id: NOBODY.replace('pay', 'evt') }, ...(row.body && { body: PAYMENT }) },
    scene.keyOf('key'),
  );
  return scene.client.sendUntilAnswered({
    ...request,
    headers: { ...request.headers, Authorization: `Bearer ${secret}` },
    ...(sourceIp !== undefined && { sourceIp }),
  });
}

function expectRefusal(
  scene: Scene,
  name: string,
  answer: { readonly status: number; readonly json: Readonly<Record<string, unknown>> },
  { status, code }: Refusal,
): void {
  if (answer.status !== status || answer.json.code !== code) {
    scene.watch.break('refused', `${name} was answered by ${answer.status} ${answer.json.code ?? ''}`);
  }
}
