import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf, newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { type RawResponse, sendRaw } from '../support/world/raw-request.ts';
import { createLink, moveClock } from '../support/world/resources.ts';

/** The headers by which a caller can claim the address of the service, but for Host: by another one, it is not reached. */
const LIES = [
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'gopher'],
  ['Forwarded', 'host=evil.example;proto=gopher'],
] as const;
const FORM = ['Content-Type', 'application/x-www-form-urlencoded'] as const;

function liar(secret: string) {
  return async ({ method, path }: Operation, body?: object): Promise<RawResponse> => {
    const answer = await sendRaw(`${baseUrl}${path}`, {
      method,
      lines: [
        ...LIES,
        ['Authorization', `Bearer ${secret}`],
        ['Idempotency-Key', randomUUID()],
        ['Content-Type', 'application/json'],
      ],
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(answer.text).not.toMatch(/evil|gopher/);
    return answer;
  };
}

test('a forged address never reaches a response, event or delivery; sinks still get events', {
  tags: 'slow',
}, async () => {
  const { api, secret } = await newMerchant();
  const lie = liar(secret);
  const sink = JSON.parse((await lie(operations.createWebhookSink)).text);
  expect(sink.url).toMatch(new RegExp(`^${baseUrl}/sink/`));
  const order = { amount: { currency: 'THB', minor: 1_000 }, method: 'promptpay', checkout: true };
  const payment = JSON.parse((await lie(operations.createPayment, order)).text);
  expect(payment.checkout_url).toMatch(new RegExp(`^${baseUrl}/checkout/`));
  expect(payment.next_action.qr.image_svg_url).toMatch(new RegExp(`^${baseUrl}/`));
  const amount = { type: 'fixed', fixed: { currency: 'THB', minor: 500 } };
  const link = JSON.parse((await lie(operations.createPaymentLink, { amount })).text);
  expect(link.url).toBe(`${baseUrl}/l/${link.code}`);

  await moveClock(api, 1);
  const answers = await Promise.all([
    api(operations.listPayments),
    api(operations.listPaymentLinks),
    api(operations.listEvents),
    api(operations.listDeliveries, { params: { id: sink.id } }),
    api(operations.getWebhookSink, { params: { id: sink.id } }),
  ]);
  expect(answers.map(({ text }) => text).join()).not.toMatch(/evil|gopher/);
  const [, , events, , { json: received }] = answers;
  expect(events.json.data).not.toHaveLength(0);
  expect(received.received_count).toBe(events.json.data.length);
});

test("a payer's form with a forged address makes a payment with pages of the service itself", async () => {
  const { api } = await newMerchant();
  const { code } = await createLink(api);
  const form = { method: 'POST', lines: [...LIES, FORM], body: 'attempt=a' };
  const { status, headers } = await sendRaw(`${baseUrl}/l/${code}`, form);
  const page = String(headers.get('location'));
  expect([status, page]).toEqual([303, expect.stringMatching(new RegExp(`^${baseUrl}/checkout/`))]);
  const chosen = await sendRaw(page, { method: 'POST', lines: [...LIES, FORM], body: 'method=promptpay' });
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, page]);

  await moveClock(api, 1);
  const lists = [operations.listPayments, operations.listEvents] as const;
  const answers = await Promise.all(lists.map((row) => api<Operation>(row)));
  for (const { text } of answers) {
    expect(text).toContain(`${baseUrl}/checkout/`);
    expect(text).not.toMatch(/evil|gopher/);
  }
});

test("a problem's type is an address of the service itself, whatever address was sent", async () => {
  const { problem } = await sendRaw(`${baseUrl}/api/v1/payments`, { lines: LIES });
  expect(problem.type).toBe(`${baseUrl}/errors/authentication_missing`);
  const { problem: nowhere } = await clientOf(null)(operations.listPayments);
  expect(nowhere.type).toBe(problem.type);
});
