import type { Change } from '../../domain/change.ts';
import { type Delivery, nextAttemptOf, recoveryOf } from '../../domain/delivery.ts';
import { type Endpoint, endRecovery, isSubscribed, noteAttempts } from '../../domain/endpoint.ts';
import type { Job, JobOf } from '../../domain/job.ts';
import { type Payment, whenPaymentIsDue } from '../../domain/payment.ts';
import type { ProviderEvent } from '../../domain/provider-event.ts';
import { whenRefundIsDue } from '../../domain/refund.ts';
import { afterOf } from '../../domain/resource-change.ts';
import type { RunCounts } from '../../domain/run-counts.ts';
import { LATE_WRITES_MS } from '../../domain/testkit/purge.ts';
import { type World, worldNow } from '../../domain/world.ts';
import { isProblem } from '../../errors/problem.ts';
import { deleteSomeOfEndpoint, readEndpoint, readEndpoints } from '../../store/events/endpoint.ts';
import { findEvent } from '../../store/events/event-log.ts';
import { readLinkOfEnded } from '../../store/money/payment-link.ts';
import { find, findAll } from '../../store/table/entity.ts';
import { deleteSomeOf } from '../../store/testkit/purge.ts';
import { clearBacklog } from '../../store/worlds/backlog.ts';
import { findWorld, type StoredWorld } from '../../store/worlds/world.ts';
import { applyPaymentEvent, applyRefundEvent, type EventEffect } from '../apply-provider-event.ts';
import { deliverEvent } from '../dispatch/deliver-event.ts';
import { readDeliveryTargets } from '../dispatch/delivery-targets.ts';
import type { DispatchOptions } from '../dispatch/dispatcher.ts';
import { takeFromRanges } from '../recover-events.ts';
import {
  cancelAbandonedAttempt,
  expireAtProvider,
  lookUpPayment,
  lookUpRefund,
  refundAtProvider,
} from './provider-job-effects.ts';

/** The result of a job: no changes if it is no longer needed. */
export interface Effect {
  readonly changes: readonly Change[];
  readonly counts?: Partial<RunCounts>;
  /** Decides after a conflict, without a second delivery, since the attempt was already made. */
  readonly decideAfterConflict?: () => Promise<Effect>;
}

type DeliveryOptions = Pick<DispatchOptions, 'baseUrl' | 'poster'>;

/** At most a second's work. */
const DELETED_AT_ONCE = 500;

const NOTHING: Effect = { changes: [] };

/** Every job reads the current state and decides as of its own due time, so a second run changes nothing. */
const EFFECTS: {
  readonly [Kind in Job['kind']]: (
    world: StoredWorld,
    job: JobOf<Kind>,
    options: DeliveryOptions,
  ) => Promise<Effect>;
} = {
  'expire-payment': async (world, job) => {
    const payment = await find('payment', world, job.paymentId);
    return payment !== null && world.mode === 'live'
      ? { changes: await expireAtProvider(world, payment, job) }
      : expiryOf(payment, job);
  },

  'approve-refund': runRefundJob,
  'send-refund': runRefundJob,
  // Jobs that only a live world has.
  'look-up-payment': async (world, job) => ({ changes: await lookUpPayment(world, job) }),
  'look-up-refund': async (world, job) => ({ changes: await lookUpRefund(world, job) }),
  'stop-attempt': async (world, job) => ({ changes: await cancelAbandonedAttempt(world, job) }),

  'apply-simulation': async (world, { event, dueAtMs }) => {
    const applied = await applyQueuedEvent(world, event, dueAtMs);
    const state = applied?.state ?? 'skipped';
    return {
      changes: [...(applied?.changes ?? []), { kind: 'provider-event-due', event, state }],
      counts: { simulationsApplied: applied === null ? 0 : 1 },
    };
  },

  'delete-epoch': (world, job) =>
    deleteInPasses(world, job, job.purge.resetAtMs, () => deleteSomeOf(world, job, DELETED_AT_ONCE)),

  'deliver-event': async (world, job, { baseUrl, poster }) => {
    const { eventId, endpointId, attempt, dueAtMs, isRedelivery = false, recoveredAtMs } = job;
    const reads = [
      readDeliveryTargets(world, baseUrl),
      findEvent(world, eventId),
      findWorld(world.id),
    ] as const;
    const [targets, event, current] = await Promise.all(reads);
    const target = targets.find(({ id }) => id === endpointId);
    // Nothing is sent after a purge, even if this run has read the world before it.
    if (target === undefined || event === null || current?.epoch !== world.epoch) {
      return NOTHING;
    }
    // A manual redelivery is sent whatever event types the endpoint subscribes to now.
    if (!isRedelivery && !isSubscribed(target.endpoint, event, recoveredAtMs)) {
      return NOTHING;
    }
    const attempted = await deliverEvent({ poster, target, event, attempt, isRedelivery, nowMs: dueAtMs });
    const delivery = { ...attempted, ...(recoveredAtMs !== undefined && { recoveredAtMs }) };
    return effectOf(world, delivery, target.endpoint);
  },

  'recover-events': async (world, { endpointId, dueAtMs, ranges }) => {
    const endpoint = (await readEndpoints(world)).find(({ id }) => id === endpointId);
    if (endpoint?.status !== 'enabled') {
      return endpoint === undefined ? NOTHING : { changes: [endRecovery(endpoint)] };
    }
    const { events, left } = await takeFromRanges(world, endpoint, ranges);
    const queued = events.map((event) => recoveryOf(event, endpointId, dueAtMs));
    const next = { kind: 'recover-events', dueAtMs, endpointId, ranges: left } as const;
    const jobs = left.length === 0 ? queued : [...queued, next];
    const ends = left.length === 0 ? [endRecovery(endpoint)] : [];
    return { changes: [...jobs.map((job) => ({ kind: 'job', job }) as const), ...ends] };
  },

  'delete-endpoint': (world, job) =>
    deleteInPasses(world, job, Date.now(), async () => {
      const deleted = await deleteSomeOfEndpoint(world, job.endpointId, DELETED_AT_ONCE);
      const current = await findWorld(world.id);
      if (current?.backloggedEndpoints.has(job.endpointId)) {
        await clearBacklog(current, job.endpointId);
      }
      return deleted;
    }),
};

/** Performs what a job is for, and returns its effect. */
export function performJob(world: StoredWorld, job: Job, options: DeliveryOptions): Promise<Effect> {
  const run = EFFECTS[job.kind] as typeof performJob;
  return run(world, job, options);
}

/** Jobs that can be committed together: each changes one payment and nothing outside, and causes no other job. */
export type SmallJob = JobOf<'expire-payment'>;

/** Whether a job is a `SmallJob`: in live mode, a provider is asked first. */
export function isSmall({ mode }: World, job: Job): job is SmallJob {
  return mode === 'test' && job.kind === 'expire-payment';
}

/** The effects of small jobs (`isSmall`), in their order: one read finds what all need. */
export async function effectsOfSmall(world: World, jobs: readonly SmallJob[]): Promise<readonly Effect[]> {
  const payments = await findAll(
    'payment',
    world,
    jobs.map(({ paymentId }) => paymentId),
  );
  return jobs.map((job) => expiryOf(payments.get(job.paymentId) ?? null, job));
}

/**
 * Deletes a part at a time, and looks once more when nothing that began before can write any more: late writes may have
 * followed the deletion.
 * @param endedAtMs in real time: nothing that begins later writes what is to be deleted
 */
async function deleteInPasses(
  world: World,
  job: JobOf<'delete-epoch' | 'delete-endpoint'>,
  endedAtMs: number,
  deleteSome: () => Promise<number>,
): Promise<Effect> {
  const realNowMs = Date.now();
  const runLater = (atMs: number, last?: { readonly lastPassFromMs: number }): Effect => ({
    changes: [{ kind: 'job', job: { ...job, ...last, dueAtMs: worldNow(world, atMs) } }],
  });
  if (job.lastPassFromMs !== undefined && realNowMs < job.lastPassFromMs) {
    // The merchant's clock was moved ahead, but this wait is in real time.
    return runLater(job.lastPassFromMs);
  }
  if ((await deleteSome()) > 0) {
    // Continue in a new job, due now, so that other due jobs need not wait for the whole deletion.
    return runLater(Date.now());
  }
  const lastPassFromMs = endedAtMs + LATE_WRITES_MS;
  return job.lastPassFromMs === undefined
    ? runLater(Math.max(lastPassFromMs, realNowMs), { lastPassFromMs })
    : NOTHING;
}

function expiryOf(payment: Payment | null, { dueAtMs }: SmallJob): Effect {
  const changes = payment === null ? [] : whenPaymentIsDue(payment, dueAtMs);
  return { changes, counts: { paymentsExpired: changes.length } };
}

/** The effect of an attempt. @param endpoint as it is now; null if it was deleted */
function effectOf(world: World, delivery: Delivery, endpoint: Endpoint | null): Effect {
  const next = nextAttemptOf(delivery);
  const noted = endpoint && noteAttempts(endpoint, [delivery]);
  return {
    changes: [
      { kind: 'delivery', delivery },
      ...(next === null ? [] : [{ kind: 'job', job: next } as const]),
      ...(noted === null ? [] : [noted]),
    ],
    counts: { deliveriesAttempted: 1, deliveriesExhausted: delivery.status === 'exhausted' ? 1 : 0 },
    decideAfterConflict: async () =>
      effectOf(world, delivery, endpoint && (await readEndpoint(world, endpoint))),
  };
}

async function runRefundJob(world: World, job: JobOf<'approve-refund' | 'send-refund'>): Promise<Effect> {
  const refund = await find('refund', world, job.refundId);
  if (refund !== null && world.mode === 'live' && job.kind === 'send-refund') {
    return { changes: await refundAtProvider(world, refund, { ...job, kind: job.kind }) };
  }
  const changes = refund === null ? [] : whenRefundIsDue(refund, job);
  const refundsApproved = changes.filter((change) => afterOf(change).status === 'approved').length;
  return { changes, counts: { refundsApproved } };
}

/** Applies a queued provider event; null if the target's status no longer allows it. */
async function applyQueuedEvent(
  world: World,
  event: ProviderEvent,
  nowMs: number,
): Promise<EventEffect | null> {
  try {
    if (event.about === 'payment') {
      const payment = await find('payment', world, event.targetId);
      const link = payment && (await readLinkOfEnded(world, payment));
      return payment && (await applyPaymentEvent(world, payment, event, nowMs, link));
    }
    const refund = await find('refund', world, event.targetId);
    return refund && applyRefundEvent(refund, event, nowMs);
  } catch (error) {
    if (isProblem(error, 'invalid_state')) {
      return null;
    }
    throw error;
  }
}
