import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { MINUTE_MS } from '../../../shared/domain/clock.ts';
import { listCreatedAtStripe } from '../../../shared/providers/stripe/list-created-at-stripe.ts';
import { stripeProvider } from '../../../shared/providers/stripe/stripe-provider.ts';
import { type StandIn, startStandIn } from '../../support/stripe/stand-in.ts';
import { newAttemptRequest, newRefundRequest } from '../../support/world/attempt-request.ts';

const mock = inject('stripeMock');

describe.skipIf(mock === null)('what was created at Stripe since an instant', () => {
  let stripe: StandIn;
  beforeEach(async () => {
    stripe = await startStandIn(mock as NonNullable<typeof mock>);
  });
  afterEach(async () => {
    await stripe.stop();
    expect(stripe.faults).toEqual([]);
  });

  const listSince = (sinceMs: number) =>
    listCreatedAtStripe({ secret_key: stripe.secretKey }, sinceMs, stripe.apiUrl);

  test('is listed over several pages with its state, and without what others created', async () => {
    const provider = stripeProvider(stripe);
    await provider.initiate(newAttemptRequest());
    stripe.advance(30 * MINUTE_MS);
    const [open, paid] = [newAttemptRequest(), newAttemptRequest()];
    await provider.initiate(open);
    const started = await provider.initiate(paid);
    const paymentReference = started.kind === 'done' ? started.reported.reference : expect.fail(started.kind);
    stripe.account.pay(paymentReference);
    const refund = newRefundRequest(paid, paymentReference);
    await provider.refund(refund);
    await stripe.addStrangers(150);
    const listed = await listSince(Date.now() + 20 * MINUTE_MS);
    const reported = listed.kind === 'done' ? listed.reported : expect.fail(listed.kind);
    expect(reported.map(({ kind, paymentId, ourId, state }) => [kind, paymentId, ourId, state])).toEqual([
      ['payment', paid.paymentId, paid.attemptId, 'paid'],
      ['payment', open.paymentId, open.attemptId, 'open'],
      ['refund', paid.paymentId, refund.refundId, 'open'],
    ]);
    expect(reported.at(-1)?.amount).toEqual(refund.amount);
    expect(reported[0]?.reference).toBe(paymentReference);
    expect(
      stripe.requests.filter(({ path, method }) => method === 'GET' && path === '/v1/payment_intents'),
    ).toHaveLength(2);
  });

  test.each(['GET /v1/payment_intents', 'GET /v1/refunds'])('is not known where %s fails', async (list) => {
    stripe.script(list, { status: 500, body: '{}' });
    expect(await listSince(0)).toEqual({ kind: 'unknown', why: 'server' });
  });
});
