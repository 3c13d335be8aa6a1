import { text } from 'node:stream/consumers';
import { parseDurationSeconds } from '../../../infra/terminal/duration.ts';
import { SECOND_MS } from '../../../shared/domain/clock.ts';
import { hasGo, NO_GO } from '../tools/go.ts';
import { type Desk, startStandIn } from './stand-in.ts';
import type { StripeAccount } from './stripe-account.ts';
import { startStripeMock } from './stripe-mock.ts';

/*
 * npm run stand-in: a Stripe on this machine, to try live payments. It listens at STRIPE_API_URL. Its desk,
 * `/stand-in/…`, performs the actions of payers, banks and Stripe's own pages.
 */

const DEFAULT_URL = 'http://127.0.0.1:12111';
const LOOPBACK = '127.0.0.1';

async function main(): Promise<void> {
  const url = new URL(process.env.STRIPE_API_URL ?? DEFAULT_URL);
  if (url.hostname !== LOOPBACK || url.protocol !== 'http:') {
    throw new Error(`STRIPE_API_URL is to be http://${LOOPBACK}:PORT here, for a stand-in is nobody else's.`);
  }
  if (!hasGo()) {
    throw new Error(`Stripe's validator is built by Go. ${NO_GO}.`);
  }
  console.log("Starting Stripe's validator; the first time it is built, which takes a minute or two.");
  const mock = await startStripeMock();
  const standIn = await startStandIn(mock, { port: Number(url.port), desk });
  console.log(`The stand-in for Stripe is running at ${standIn.apiUrl}. Ctrl-C ends it.`);
  const end = async () => {
    await standIn.stop();
    await mock.stop();
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

let notificationUrl: string | null = null;

/** The actions of the desk, by their paths below `/stand-in/`. Notifications of an action precede its response. */
const desk: Desk = {
  secrets: async ({ secretKey, webhookSecret }) => ({ secret_key: secretKey, webhook_secret: webhookSecret }),
  /** Requests and responses that violate Stripe's document. */
  faults: async ({ faults }) => ({ faults }),
  /** The body is the address for notifications. */
  notifications: async (_standIn, request) => {
    notificationUrl = (await text(request)).trim();
    return { notifications: notificationUrl };
  },
  /** The body is how far to move its clock: a service whose clock is ahead accepts notifications of its own time alone. */
  advance: async (standIn, request) => {
    const seconds = parseDurationSeconds((await text(request)).trim());
    standIn.advance(seconds * SECOND_MS);
    return { advanced_seconds: seconds };
  },
  /** The payer of the newest payment pays. */
  pay: (standIn) =>
    printed(
      standIn,
      ({ intents }) => newest(intents, 'requires_action'),
      (account, id) => account.pay(id),
    ),
  /** The bank pays the newest refund back. */
  'pay-back': (standIn) =>
    printed(
      standIn,
      ({ refunds }) => newest(refunds, 'pending', 'requires_action'),
      (account, id) => account.payBack(id),
    ),
};

type Stored = { readonly id: string; readonly status: string };

function newest(stored: ReadonlyMap<string, Stored>, ...statuses: readonly string[]): Stored | undefined {
  return [...stored.values()].findLast(({ status }) => statuses.includes(status));
}

async function printed(
  { account, send }: Parameters<Desk[string]>[0],
  find: (account: StripeAccount) => Stored | undefined,
  act: (account: StripeAccount, id: string) => Stored,
): Promise<object> {
  const found = find(account);
  if (found === undefined) {
    return { error: 'there is nothing that waits for it' };
  }
  const { id, status } = act(account, found.id);
  const event = account.events.at(-1);
  const answers = event === undefined || notificationUrl === null ? [] : await send(event, notificationUrl);
  return { id, status, notification_answered: answers[0] ?? null };
}

try {
  await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
