import { randomUUID } from 'node:crypto';
import type { StandIn } from '../support/stripe/stand-in.ts';
import { runOperator } from './run-operator.ts';
import { call, type Stage } from './stage.ts';

const EMAIL = 'payer@example.com';

/** A live payment that will never be paid, and the world it is in. */
export interface LiveStage {
  readonly stage: Stage;
  readonly payment: string;
}

/**
 * Takes live money of a deployed stage, by a stand-in for Stripe: requested, reported by a notification, canceled.
 * @returns the payment that only the clock can end
 */
export async function expectLive(stage: Stage, stripe: StandIn): Promise<LiveStage> {
  const merchant = `money-${randomUUID().slice(0, 8)}`;
  const operate = (file: 'keys' | 'providers', args: readonly string[], input?: object) =>
    runOperator(
      file,
      stage.stackName,
      [...args, '--merchant', merchant],
      { STRIPE_API_URL: stripe.apiUrl },
      input,
    );
  const { key } = await operate('keys', ['create', '--mode', 'live', '--preset', 'owner']);
  const { webhook_url: notificationUrl } = await operate('providers', ['connect', '--provider', 'stripe'], {
    secret_key: stripe.secretKey,
    webhook_secret: stripe.webhookSecret,
  });
  const live = { ...stage, key };
  const [paid, canceled, open] = await Promise.all([
    ask(live),
    ask(live),
    ask(live, { expires_in_minutes: 1 }),
  ]);
  const intentOf = (id: string) =>
    [...stripe.account.intents.values()].filter(({ metadata }) => metadata.payment_id === id);
  for (const { id } of [paid, canceled, open]) {
    expectSame(intentOf(id).length, 1, 'payments at Stripe');
  }

  stripe.account.pay(String(intentOf(paid.id)[0]?.id));
  const [event] = stripe.account.events.slice(-1);
  const responses = event === undefined ? [] : await stripe.send(event, notificationUrl, 2);
  expectSame(responses.join(), '200,200', 'answers to notifications');
  expectSame(
    (await call(live, 'GET', `/payments/${paid.id}`)).body.status,
    'succeeded',
    'a payment that was paid',
  );

  const stopped = await call(live, 'POST', `/payments/${canceled.id}/cancel`, {});
  expectSame(stopped.body.status, 'canceled', 'a payment that was canceled');
  expectSame(intentOf(canceled.id)[0]?.status, 'canceled', 'the same at Stripe');
  return { stage: live, payment: open.id };
}

/** What was stopped by the clock was stopped at the provider, too. */
export function expectStopped({ payment }: LiveStage, stripe: StandIn): void {
  const [intent] = [...stripe.account.intents.values()].filter(
    ({ metadata }) => metadata.payment_id === payment,
  );
  expectSame(intent?.status, 'canceled', 'a payment that expired, at Stripe');
  expectSame(stripe.faults.join('\n'), '', 'what was against the document of Stripe');
}

async function ask(stage: Stage, more: object = {}) {
  const { status, body } = await call(stage, 'POST', '/payments', {
    amount: { currency: 'THB', minor: 129_900 },
    method: 'promptpay',
    customer: { email: EMAIL },
    ...more,
  });
  expectSame(status, 201, `a live payment, ${body.code ?? body.status}:`);
  return body;
}

function expectSame(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) {
    throw new Error(`${what}: ${found} instead of ${expected}`);
  }
}
