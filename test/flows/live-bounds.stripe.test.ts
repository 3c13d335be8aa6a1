import { describe, expect, inject, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import type { AwsCall } from '../../shared/store/table/aws-client.ts';
import { heldAt, isCommit } from '../support/faults/held-call.ts';
import { useLiveService } from '../support/stripe/live-service.ts';
import { newLiveWorld } from '../support/world/live-world.ts';

const { commit } = await import('../../shared/store/table/commit.ts');
const { get } = await import('../../shared/store/table/entity.ts');
const { erasureWrite } = await import('../../shared/store/writes.ts');

const live = useLiveService();

const CHOICES_MAX = 10;
const PAGE_TEXT = { headers: { 'accept-language': 'en' } };
const thb = (minor: number) => ({ currency: 'THB', minor }) as const;
const REFUSAL = {
  status: 400,
  body: JSON.stringify({ error: { type: 'invalid_request_error', code: 'refused', message: 'no' } }),
};

async function newPage() {
  const merchant = await newLiveWorld(live.stripe, live.service);
  const { api, read, intentsOf, world } = merchant;
  const { json: payment } = await api(operations.createPayment, { body: { amount: thb(129_900) } });
  const address = String(payment.checkout_url);
  const choose = async (email: string) => {
    const body = new URLSearchParams({ method: 'promptpay', email }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' };
    const answer = await live.service.send(address, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const changeOtherwise = async () => {
    const before = await get('payment', world, payment.id);
    const after = { ...before, version: before.version + 1, metadata: { note: 'changed' } };
    expect((await commit(erasureWrite(world, before, after))).kind).toBe('committed');
  };
  return { choose, changeOtherwise, read: () => read(payment.id), intents: () => intentsOf(payment.id) };
}

/** How many attempts Stripe is requested to start during an action. */
async function begunIn(act: () => Promise<unknown>): Promise<number> {
  const before = live.stripe.requests.length;
  await act();
  const isBegin = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/v1/payment_intents';
  return live.stripe.requests.slice(before).filter(isBegin).length;
}

describe.skipIf(inject('stripeMock') === null)('on the page of a live payment', () => {
  test.each([
    ['is refused', () => live.stripe.script('POST /v1/payment_intents', REFUSAL), 502],
    [
      'is not answered',
      () => live.stripe.script('POST /v1/payment_intents', { status: 429, body: '{}' }),
      503,
    ],
  ] as const)('a choice that %s counts: the provider gets ten requests at most', async (_, fail, status) => {
    const { choose, read } = await newPage();
    const answers: Awaited<ReturnType<typeof choose>>[] = [];
    const begun = await begunIn(async () => {
      for (let nth = 1; nth <= CHOICES_MAX + 5; nth += 1) {
        if (nth <= CHOICES_MAX) {
          fail();
        }
        answers.push(await choose(`payer${nth}@example.com`));
      }
    });
    expect(begun).toBe(CHOICES_MAX);
    const statuses = answers.map((answer) => answer.status);
    expect(statuses).toEqual([...Array(CHOICES_MAX).fill(status), ...Array(5).fill(409)]);
    expect(await read()).toMatchObject({ status: 'created', method: null, customer_email: null });
    const { text = '' } = answers.at(-1) ?? {};
    expect(text).toContain('ask the shop for a new payment');
    expect(text).not.toContain('name="method"');
  });

  test('sixty choices at once send the provider ten requests at most, and make one attempt', async () => {
    const { choose, read, intents } = await newPage();
    const emails = Array.from({ length: 60 }, (_, nth) => `payer${nth}@example.com`);
    expect(await begunIn(() => Promise.all(emails.map(choose)))).toBeLessThanOrEqual(CHOICES_MAX);
    expect(intents().length).toBeLessThanOrEqual(CHOICES_MAX);
    expect((await read()).status).toBe('requires_action');
  });

  test('a choice that is decided again, because the payment changed meanwhile, counts once', async () => {
    const { choose, changeOtherwise, read, intents } = await newPage();
    let commits = 0;
    // The first commit counts the choice, the second one stores it.
    const isStored = (call: AwsCall) => isCommit(call) && ++commits === 2;
    const begun = await begunIn(async () => {
      const choosing = await heldAt(isStored, () => choose('payer1@example.com'));
      await changeOtherwise();
      expect((await choosing.letGo()).status).toBe(303);
    });
    expect(begun).toBe(1);
    expect(intents()).toHaveLength(1);
    expect(await read()).toMatchObject({ customer_email: 'payer1@example.com' });
    const statuses: number[] = [];
    for (let nth = 2; nth <= CHOICES_MAX + 1; nth += 1) {
      await changeOtherwise();
      statuses.push((await choose(`payer${nth}@example.com`)).status);
    }
    expect(statuses).toEqual([...Array(CHOICES_MAX - 1).fill(303), 409]);
    expect(new Set(intents().map(({ id }) => id)).size).toBe(CHOICES_MAX);
  });

  test('a choice after nine lost responses requests the same attempt, and there is one', async () => {
    const { choose, read, intents } = await newPage();
    for (let nth = 1; nth < CHOICES_MAX; nth += 1) {
      live.stripe.script('POST /v1/payment_intents', 'cut after', 'cut before');
      expect((await choose('payer@example.com')).status).toBe(503);
    }
    expect((await choose('payer@example.com')).status).toBe(303);
    expect(await read()).toMatchObject({ status: 'requires_action', customer_email: 'payer@example.com' });
    expect(intents()).toHaveLength(1);
  });
});

describe.skipIf(inject('stripeMock') === null)('below what the provider takes', () => {
  test.each([
    ['with a method', {}],
    ['without a method', { method: undefined }],
  ])('a live payment %s is refused before any request to the provider', async (_, order) => {
    const { create } = await newLiveWorld(live.stripe, live.service);
    const begun = await begunIn(async () => {
      const { problem } = await create({ ...order, amount: thb(999) });
      expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
      expect(problem.errors).toEqual([
        { code: 'min', field: 'amount.minor', message: 'must be at least 1000' },
      ]);
    });
    expect(begun).toBe(0);
    expect((await create({ ...order, amount: thb(1_000) })).status).toBe(201);
  });

  test('a live link whose amounts are all below the minimum is refused', async () => {
    const { api } = await newLiveWorld(live.stripe, live.service);
    for (const [amount, field] of [
      [{ type: 'fixed', fixed: thb(999) }, 'amount.fixed.minor'],
      [{ type: 'open', max: thb(999) }, 'amount.max.minor'],
    ] as const) {
      const { problem } = await api(operations.createPaymentLink, { body: { amount } });
      expect(problem).toMatchObject({
        code: 'validation_failed',
        errors: [{ code: 'min', field, message: 'must be at least 1000' }],
      });
    }
    const fixed = { type: 'fixed', fixed: thb(1_000) } as const;
    expect((await api(operations.createPaymentLink, { body: { amount: fixed } })).status).toBe(201);
  });

  test('the page of an open live link shows the minimum at a field with a smaller amount', async () => {
    const { api } = await newLiveWorld(live.stripe, live.service);
    for (const min of [undefined, thb(500), thb(2_000)]) {
      const amount = { type: 'open', min } as const;
      const { json: link } = await api(operations.createPaymentLink, { body: { amount } });
      const least = Math.max(1_000, min?.minor ?? 0);
      const page = await (await live.service.send(link.url, PAGE_TEXT)).text();
      expect(page.replaceAll('\u00a0', ' ')).toContain(`at least ฿${(least / 100).toFixed(2)}`);
      const pay = async (minor: number) => {
        const body = new URLSearchParams({ amount: (minor / 100).toFixed(2) }).toString();
        const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' };
        return live.service.send(link.url, { method: 'POST', headers, body });
      };
      const refused = await pay(least - 1);
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain('id="amount-problem"');
      expect((await pay(least)).status).toBe(303);
    }
  });
});
