import { viewPayment } from '../contract/payment-view.ts';
import { viewRefund } from '../contract/refund-view.ts';
import type { Job } from '../domain/job.ts';
import { canExpireAfter, expirePayment } from '../domain/payment.ts';
import type { ProviderEvent } from '../domain/provider-event.ts';
import { decideRefund, SEND_AFTER_MS, sendRefund } from '../domain/refund.ts';
import type { RunCounts } from '../domain/run-counts.ts';
import { LATE_WRITES_MS } from '../domain/testkit/purge.ts';
import { type World, worldNow } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import type { Change } from '../store/commit.ts';
import { insertDelivery } from '../store/delivery.ts';
import { announce } from '../store/event.ts';
import { insertJob } from '../store/job.ts';
import { findPayment, recordPayment } from '../store/payment.ts';
import { readLinkOfEnded } from '../store/payment-link.ts';
import { settleProviderEvent } from '../store/provider-event.ts';
import { findPublishedEvent } from '../store/published-event.ts';
import { findRefund, recordRefund } from '../store/refund.ts';
import { deleteSomeOf } from '../store/testkit/purge.ts';
import { readSinks } from '../store/testkit/sinks.ts';
import { findWorld } from '../store/world.ts';
import { deliver } from '../webhooks/deliver.ts';
import { applyPaymentEvent, applyRefundEvent, type Settled } from './apply-provider-event.ts';

/** What running a job comes to: nothing at all, where the state has gone on without it. */
export interface Effect {
  readonly changes: readonly Change[];
  readonly tally?: Partial<RunCounts>;
}

type JobOf<Kind extends Job['kind']> = Extract<Job, { kind: Kind }>;
/** Events are published many at a time, by `publish.ts`. */
type SingleKind = Exclude<Job['kind'], 'publish-event'>;

/** A second's work at most. */
const DELETED_AT_ONCE = 500;

const NOTHING: Effect = { changes: [] };

/** Every job reads again, decides by the machine at its own due time, and describes writes: running it twice does nothing. */
const EXECUTORS: {
  readonly [Kind in SingleKind]: (world: World, job: JobOf<Kind>, baseUrl: string) => Promise<Effect>;
} = {
  'expire-payment': async (world, { paymentId, dueAtMs }) => {
    const payment = await findPayment(world, paymentId);
    if (payment !== null && canExpireAfter(payment, dueAtMs)) {
      // The method that was chosen meanwhile gave it more time.
      return {
        changes: [insertJob(world, { kind: 'expire-payment', dueAtMs: payment.expiresAtMs, paymentId })],
      };
    }
    const steps = payment === null ? [] : expirePayment(payment, dueAtMs);
    return payment === null || steps.length === 0
      ? NOTHING
      : {
          changes: [...recordPayment(world, payment, steps), ...announce({ world }, steps, viewPayment)],
          tally: { paymentsExpired: 1 },
        };
  },

  'approve-refund': async (world, { refundId, dueAtMs }) => {
    const refund = await findRefund(world, refundId);
    if (refund?.status !== 'requested') {
      return NOTHING;
    }
    const step = decideRefund(refund, dueAtMs);
    const isApproved = step.after.status === 'approved';
    return {
      changes: [
        ...recordRefund(world, refund, [step]),
        ...announce({ world }, [step], viewRefund),
        ...(isApproved
          ? [insertJob(world, { kind: 'send-refund', dueAtMs: dueAtMs + SEND_AFTER_MS, refundId })]
          : []),
      ],
      tally: { refundsApproved: isApproved ? 1 : 0 },
    };
  },

  'send-refund': async (world, { refundId, dueAtMs }) => {
    const refund = await findRefund(world, refundId);
    if (refund?.status !== 'approved') {
      return NOTHING;
    }
    const step = sendRefund(refund, dueAtMs);
    return { changes: [...recordRefund(world, refund, [step]), ...announce({ world }, [step], viewRefund)] };
  },

  'apply-simulation': async (world, { word, dueAtMs }) => {
    const settled = await applyQueuedEvent(world, word, dueAtMs);
    return settled === null
      ? { changes: [settleProviderEvent(world, word, 'skipped')] }
      : {
          changes: [...settled.changes, settleProviderEvent(world, word, settled.state)],
          tally: { simulationsApplied: 1 },
        };
  },

  'delete-epoch': async (world, job) => {
    const realNowMs = Date.now();
    const again = (atMs: number, againFromMs = job.againFromMs) => {
      const next = {
        ...job,
        dueAtMs: worldNow(world, atMs),
        ...(againFromMs !== undefined && { againFromMs }),
      };
      return { changes: [insertJob(world, next)] };
    };
    if (job.againFromMs !== undefined && realNowMs < job.againFromMs) {
      // The merchant's clock was moved, and real time is what counts.
      return again(job.againFromMs);
    }
    const deleted = await deleteSomeOf(world, job, DELETED_AT_ONCE);
    if (deleted > 0) {
      // Until nothing is left: each time for a moment and behind what is due by then, so that nobody waits for it.
      return again(Date.now());
    }
    // And once more when nothing of before the purge can write any more: it may have written behind the deletion.
    const againFromMs = job.purge.resetAtMs + LATE_WRITES_MS;
    return job.againFromMs === undefined ? again(Math.max(againFromMs, realNowMs), againFromMs) : NOTHING;
  },

  'deliver-event': async (world, job, baseUrl) => {
    const { eventId, sinkId, resourceId, sequence, attempt, dueAtMs, isRedelivery = false } = job;
    const reads = [readSinks(world), findPublishedEvent(world, eventId), findWorld(world.id)] as const;
    const [sinks, event, current] = await Promise.all(reads);
    const sink = sinks.find(({ id }) => id === sinkId);
    // Nothing of a purged world is sent, even where its runner has not noticed yet.
    if (sink === undefined || event === null || current?.epoch !== world.epoch) {
      return NOTHING;
    }
    const delivery = await deliver({ sink, baseUrl, event, attempt, isRedelivery, nowMs: dueAtMs });
    const next = {
      kind: 'deliver-event',
      eventId,
      sinkId,
      resourceId,
      sequence,
      attempt: attempt + 1,
    } as const;
    return {
      changes: [
        insertDelivery(world, delivery, Date.now()),
        ...(delivery.nextAttemptAtMs === null
          ? []
          : [insertJob(world, { ...next, dueAtMs: delivery.nextAttemptAtMs })]),
      ],
      tally: { deliveriesAttempted: 1, deliveriesExhausted: delivery.status === 'exhausted' ? 1 : 0 },
    };
  },
};

/** @param baseUrl where this service answers, and so its sinks */
export function execute(world: World, job: Job, baseUrl: string): Promise<Effect> {
  const executor = EXECUTORS[job.kind as SingleKind] as
    | ((world: World, job: Job, baseUrl: string) => Promise<Effect>)
    | undefined;
  if (executor === undefined) {
    throw new Error('there is no such kind of job');
  }
  return executor(world, job, baseUrl);
}

/** The writes that a delayed word comes to, or null where the state does not allow it any more. */
async function applyQueuedEvent(world: World, word: ProviderEvent, nowMs: number): Promise<Settled | null> {
  const cause = { world };
  try {
    if (word.about === 'payment') {
      const payment = await findPayment(world, word.targetId);
      const link = payment && (await readLinkOfEnded(world, payment));
      return payment && (await applyPaymentEvent(cause, payment, word, nowMs, link));
    }
    const refund = await findRefund(world, word.targetId);
    return refund && applyRefundEvent(cause, refund, word, nowMs);
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_state') {
      return null;
    }
    throw error;
  }
}
