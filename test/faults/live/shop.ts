import { beforeAll, expect, inject } from 'vitest';
import { loadWorker } from '../../../infra/local/function.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS } from '../../../shared/contract/bus.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { MINUTE_MS } from '../../../shared/domain/clock.ts';
import { notificationUrl } from '../../../shared/domain/connection.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { type StandIn, startStandIn } from '../../support/stripe/stand-in.ts';
import type { StoredEvent, StoredIntent, StoredRefund } from '../../support/stripe/stripe-account.ts';
import { clientOf } from '../../support/world/api.ts';
import { newConnected } from '../../support/world/live-merchant.ts';
import { rawItems, restoreTable } from '../../support/world/stored-table.ts';
import { openWorkshop, passTime } from '../crash/workshop.ts';

/** Jobs that are due soon after one another run together, as they do if the clock comes late. */
const TOGETHER_MS = 15 * MINUTE_MS;
/** Looked up again without end, because the outcome depends on payers and Stripe. */
export const LOOK_UPS: readonly Job['kind'][] = ['look-up-payment', 'look-up-refund'];
/** Input for a payment that needs an action of the payer. */
export const ORDER = {
  amount: { currency: 'THB', minor: 129_900 },
  method: 'promptpay',
  customer: { email: 'payer@example.com' },
} as const;

/** Shops of their own, on a service without workers and a Stripe of this file alone. */
export interface Mall {
  readonly stripe: StandIn;
  /** A merchant with a live world of its own, at the initial time, which stands still unless a test moves it. */
  readonly newShop: () => Promise<Shop>;
}

/** A mall while the tests of a block run. */
export function useMall(): Mall {
  const mall = {} as Mall;
  beforeAll(async () => {
    const mock = inject('stripeMock');
    if (mock === null) {
      throw new Error('there is no stripe-mock');
    }
    const workshop = await openWorkshop();
    const stripe = await startStandIn(mock);
    process.env.STRIPE_API_URL = stripe.apiUrl;
    const [jobs, events] = await Promise.all(
      ['live-job-runner', 'job-runner'].map((name) =>
        loadWorker<object, void>(name, JOB_RUNNER_TIMEOUT_SECONDS),
      ),
    );
    const beganAtMs = Date.now();
    const openShop = async () => {
      await restoreTable([]);
      passTime(beganAtMs - Date.now());
      return newShop(stripe, workshop, { jobs, events } as Runners);
    };
    Object.assign(mall, { stripe, newShop: openShop } satisfies Mall);
    return async () => {
      await workshop.close();
      await stripe.stop();
      expect(stripe.faults).toEqual([]);
    };
  });
  return mall;
}

type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

/** The runner of jobs, and the runner that dispatches their events. */
type Runners = Readonly<Record<'jobs' | 'events', (event: object) => Promise<void>>>;

async function newShop(stripe: StandIn, workshop: Workshop, runners: Runners) {
  const { account } = stripe;
  const before = new Set([...account.intents.keys(), ...account.refunds.keys()]);
  const secrets = { secret_key: stripe.secretKey, webhook_secret: stripe.webhookSecret };
  const { secret, world, connection } = await newConnected(secrets);
  const api = clientOf(secret, workshop.baseUrl, workshop.send);
  const isNew = ({ id }: { readonly id: string }) => !before.has(id);
  let sent = account.events.length;

  const notify = async (event: StoredEvent): Promise<number> => {
    const url = notificationUrl(connection, workshop.baseUrl);
    const { headers, body } = stripe.notificationOf(event);
    return (await workshop.send(url, { method: 'POST', headers, body })).status;
  };
  /** All pending work: the table has nothing but this shop. */
  const waiting = async () => (await rawItems()).filter(({ pk }) => /#(JOBS|OUTBOX)#/.test(String(pk)));
  const jobs = async (): Promise<Job[]> =>
    (await waiting()).flatMap(({ job }) => (job === undefined ? [] : [JSON.parse(String(job)) as Job]));
  const wake = async (who: keyof Runners, kind: string) => {
    const pks = [...new Set((await waiting()).map(({ pk }) => String(pk)))].filter((pk) => pk.includes(kind));
    return () => runners[who]({ detail: { worldId: world.id, pks } });
  };
  /** Starts a runner for the due jobs, as the clock does. */
  const newRun = () => wake('jobs', '#JOBS#');
  /** Runs the due jobs, and dispatches their events, as the table's stream does. */
  const runJobs = async () => {
    await (await newRun())();
    await (await wake('events', '#OUTBOX#'))();
  };

  return {
    stripe,
    account,
    api,
    world,
    connection,
    jobs,
    newRun,
    runJobs,
    notify,
    /** What Stripe has of this shop, stored here or not. */
    intents: (): StoredIntent[] => [...account.intents.values()].filter(isNew),
    refunds: (): StoredRefund[] => [...account.refunds.values()].filter(isNew),
    create: async (order: object = {}, idempotencyKey: string = crypto.randomUUID()) =>
      api(operations.createPayment, { idempotencyKey, body: { ...ORDER, ...order } }),
    /** Sends a form of the page of a payer. */
    press: (pageUrl: string, form: Readonly<Record<string, string>>) =>
      workshop.send(pageUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    /** Payers pay the shown amount or another one, if their banks still can. */
    pay: async (minor?: number) => {
      const { data } = (await api(operations.listPayments)).json;
      for (const { next_action: action } of data) {
        const payload = action?.type === 'display_qr' ? action.qr.payload : null;
        const intent = [...account.intents.values()].find((it) => qrOf(it) === payload);
        if (intent?.status === 'requires_action') {
          account.pay(intent.id, minor);
        }
      }
    },
    /** Stripe sends its pending notifications; a refused one comes again. @param isWild each twice, the newest first */
    deliverNotifications: async ({ isWild = false } = {}) => {
      const news = account.events.slice(sent);
      sent = account.events.length;
      for (const event of isWild ? news.toReversed().flatMap((it) => [it, it]) : news) {
        await notify(event);
      }
    },
    /** Stripe sends no notification of anything that has happened so far. */
    skipNotifications: () => {
      sent = account.events.length;
    },
    /** The clock goes on to the next job of a kind, and no job runs. */
    passUntilDue: async (kind: Job['kind']) => {
      const next = (await jobs()).filter((job) => job.kind === kind).map(({ dueAtMs }) => dueAtMs);
      if (next.length === 0) {
        throw new Error(`no job ${kind} waits`);
      }
      passTime(Math.min(...next) - Date.now());
    },
    /** The clock goes on, and the jobs with it, until everything left depends on payers and Stripe. */
    rest: async () => {
      for (let isOver = false; !isOver; ) {
        const left = await jobs();
        const nextAtMs = Math.min(...left.map(({ dueAtMs }) => dueAtMs));
        // Another runner dispatches the events of a dead one when its lease is over.
        passTime((left.length === 0 ? 0 : Math.max(nextAtMs - Date.now(), 0)) + TOGETHER_MS);
        await runJobs();
        // Also after the run: what a request that was given up has still in flight may arrive meanwhile.
        isOver = [...left, ...(await jobs())].every(({ kind }) => LOOK_UPS.includes(kind));
      }
    },
  };
}
export type Shop = Awaited<ReturnType<typeof newShop>>;

/** A payment that was paid, and a refund of it that is approved. */
export async function refundApproved({
  create,
  pay,
  deliverNotifications,
  api,
  passUntilDue,
  runJobs,
}: Shop): Promise<void> {
  const { json: payment } = await create();
  await pay();
  await deliverNotifications();
  await api(operations.requestRefund, { params: { id: payment.id }, body: {} });
  await passUntilDue('approve-refund');
  await runJobs();
}

/** Makes a refund that was requested from Stripe. @returns its id there */
export async function refundSent(shop: Shop): Promise<string> {
  await refundApproved(shop);
  await shop.passUntilDue('send-refund');
  await shop.runJobs();
  return String(shop.refunds()[0]?.id);
}

function qrOf(intent: StoredIntent): string | undefined {
  const action = intent.next_action as { promptpay_display_qr_code?: { data?: string } } | null | undefined;
  return action?.promptpay_display_qr_code?.data;
}
