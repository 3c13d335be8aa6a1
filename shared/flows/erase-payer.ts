import { setTimeout as sleep } from 'node:timers/promises';
import { withoutBodies } from '../domain/logged-request.ts';
import type { Payment } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import {
  rewriteDeliveries,
  rewriteEvents,
  rewriteOutbox,
  rewriteRequests,
  rewriteResponses,
} from '../store/rewrite.ts';
import { commit } from '../store/table/commit.ts';
import { find } from '../store/table/entity.ts';
import { recordAudit } from '../store/worlds/audit.ts';
import { erasureWrite } from '../store/writes.ts';
import {
  eraseFromDelivery,
  eraseFromEvent,
  eraseFromResponse,
  eraseFromView,
  withoutPayer,
} from './erasure.ts';

/** The numbers of items from which a payer's data was erased. */
export interface ErasureCounts {
  /** 1, or 0 where it was erased before. */
  readonly payments: number;
  /** Events, published or in the outbox. The log of deliveries shows the same text. */
  readonly events: number;
  /** Responses that are saved for replays of an Idempotency-Key. */
  readonly responses: number;
  /** Logged requests of a test world. */
  readonly requests: number;
  /** Attempts to deliver for which the start of the response is stored. */
  readonly deliveries: number;
}

/** How often the payment is read and erased again after a conflict. */
const TRIES_MAX = 20;
/** Indexes lag behind writes: after a pass that found something, another one follows after this pause. */
const INDEX_LAG_MS = 1_000;

/**
 * Erases a payer's data from a payment and from everything that was written about it. Safe to repeat: a second run
 * finds nothing more, and after a crash it finishes the first one.
 *
 * The payment comes first, so that its later events have no payer. A runner that is about to publish an event as it was
 * before fails, and reads it again.
 * @param actor the operator, for the audit entry, which is committed with the erasure of the payment itself, so once
 * @returns null where the payment kept changing: nothing was erased
 */
export async function erasePayer(
  world: World,
  payment: Payment,
  actor: string,
  realNowMs: number,
): Promise<ErasureCounts | null> {
  const payments = await eraseFromPayment(world, payment.id, actor, realNowMs);
  if (payments === null) {
    return null;
  }
  let sum: ErasureCounts = { payments, events: 0, responses: 0, requests: 0, deliveries: 0 };
  // After an erasure, at least two passes.
  for (let look = payments === 0 ? 2 : 1; ; look += 1) {
    const { events, responses, requests, deliveries } = await eraseTraces(world, payment);
    if (look > 1 && events + responses + requests + deliveries === 0) {
      return sum;
    }
    sum = {
      payments,
      events: sum.events + events,
      responses: sum.responses + responses,
      requests: sum.requests + requests,
      deliveries: sum.deliveries + deliveries,
    };
    await sleep(INDEX_LAG_MS);
  }
}

async function eraseFromPayment(
  world: World,
  id: string,
  actor: string,
  realNowMs: number,
): Promise<number | null> {
  const { merchant, mode } = world;
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const payment = await find('payment', world, id);
    if (payment === null || payment.payerErasedAtMs !== undefined) {
      return 0;
    }
    const details = { number: payment.number };
    const record = { atMs: realNowMs, action: 'erase', actor, merchant, mode, subject: id, details } as const;
    const outcome = await commit([
      ...erasureWrite(world, payment, withoutPayer(payment, realNowMs)),
      recordAudit(record),
    ]);
    if (outcome.kind === 'committed') {
      return 1;
    }
  }
  return null;
}

/** One pass over everything that was written about a payment. */
async function eraseTraces(
  world: World,
  { id, createdAtMs }: Payment,
): Promise<Omit<ErasureCounts, 'payments'>> {
  const keys = new Set<string>();
  const noteKey = (key: string | null) => key !== null && keys.add(key);
  const waiting = await rewriteOutbox(world, id, (event) => {
    noteKey(event.request.idempotencyKey);
    const object = eraseFromView(event.object, id);
    return object && { ...event, object };
  });
  const published = await rewriteEvents(world, id, (body) => {
    noteKey(JSON.parse(body).request.idempotency_key);
    return eraseFromEvent(body, id);
  });
  return {
    events: waiting + published,
    responses: await rewriteResponses(world, keys, (saved) => eraseFromResponse(saved, id)),
    requests: await rewriteRequests(world, (request) => withoutBodies(request, id)),
    deliveries: await rewriteDeliveries(world, createdAtMs, (attempt) => eraseFromDelivery(attempt, id)),
  };
}
