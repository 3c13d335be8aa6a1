import { randomUUID } from 'node:crypto';
import { VIEW } from '../../shared/contract/views.ts';
import { MINUTE_MS } from '../../shared/domain/clock.ts';
import { newId } from '../../shared/domain/id.ts';
import { applyPaymentOutcome, type Payment } from '../../shared/domain/payment.ts';
import { paymentProviderEvent } from '../../shared/domain/provider-event.ts';
import { afterOf } from '../../shared/domain/resource-change.ts';
import type { Sink } from '../../shared/domain/testkit/sink.ts';
import { type World, worldIdOf } from '../../shared/domain/world.ts';
import { publish, publishableAtOnce } from '../../shared/flows/publish.ts';
import type { Write } from '../../shared/store/commit.ts';
import { insertDelivery } from '../../shared/store/delivery.ts';
import { remove } from '../../shared/store/item.ts';
import { jobsIn, type WaitingJob } from '../../shared/store/job.ts';
import { type Key, leaseKey, onceKey, worldKey } from '../../shared/store/keys.ts';
import { type Cause, writesOf } from '../../shared/store/writes.ts';
import { signedHeaders } from '../../shared/webhooks/sign.ts';
import { aSink, aWorld } from '../support/entities.ts';
import { aBeginning, openAtOnce } from '../support/opened-payment.ts';

/** What one call of the store writes. */
export interface Commit {
  readonly atMs: number;
  readonly changes: readonly Write[];
  /** A transaction costs twice as much as a write alone. */
  readonly isTransaction: boolean;
}

/** A merchant whose payments are made up here: its world, and how far its counters are. */
export interface Author {
  world: World;
  readonly sink: Sink;
}

/** A merchant with one receiver. */
export function newAuthor(merchant: string): Author {
  const world = aWorld({ id: worldIdOf(merchant, 'test'), merchant });
  return { world, sink: aSink({ id: newId('snk', BEGIN_MS) }) };
}

export const ORDER = {
  amount: { currency: 'THB', minor: 129_900 },
  method: 'promptpay',
  description: 'Two tickets',
  customer: { email: 'somchai@example.com', name: 'Somchai' },
} as const;
const BASE_URL = 'https://0123456789.execute-api.ap-southeast-1.amazonaws.com/v1';
/** Before all that is made up. */
export const BEGIN_MS = Date.UTC(2026, 10, 1);
const PAID_AFTER_MS = MINUTE_MS;
/** About as long as a saved answer is. */
const SAVED = new Uint8Array(300);
/** A delivery carries them; signing each of a million would only take time. */
const HEADERS = signedHeaders(`whsec_${Buffer.alloc(32).toString('base64')}`, newId('evt', 0), '{}', 0);

/**
 * Every write of payments that are created at some instants, paid a minute later and told to one receiver, from their
 * claims to the end of their expiry: described by the functions that describe it in the service. Only what these do not
 * describe but send themselves (claims, numbers, the lease) is said here, by their keys; `stored.ts` compares all of it
 * with a real life. What several payments cause is run together, as by a runner that has much to do.
 */
export function* livePayments(author: Author, instants: readonly number[]): Generator<Commit> {
  const { world } = author;
  const lastMs = instants.at(-1) ?? 0;
  const payments: Payment[] = [];
  const expiries: WaitingJob[] = [];
  let outbox: WaitingJob[] = [];
  for (const atMs of instants) {
    const opening = { world, number: nextNumber(author), baseUrl: BASE_URL, nowMs: atMs };
    const order = { ...ORDER, reference: `order-${opening.number}` };
    const opened = openAtOnce(opening, order);
    const cause = request(world);
    const changes = writesOf(cause, [opened], VIEW);
    yield alone(atMs, { update: { ...TOUCH, key: worldKey(world.id) } });
    yield* committed(cause, atMs, changes);
    payments.push(afterOf(opened));
    for (const waiting of jobsIn(changes)) {
      (waiting.job.kind === 'expire-payment' ? expiries : outbox).push(waiting);
    }
  }
  yield* underLease(author, lastMs, publishAll(author, outbox));

  outbox = [];
  for (const payment of payments) {
    const atMs = payment.createdAtMs + PAID_AFTER_MS;
    const cause = request(world);
    const ids = { eventId: newId('pev', atMs), actionId: newId('act', atMs) };
    const event = paymentProviderEvent(payment, ids, { outcome: 'succeeded' });
    const paid = applyPaymentOutcome(payment, event.outcome, atMs, event.resultCode);
    const noted = { kind: 'provider-event', event, state: 'applied' } as const;
    const changes = writesOf(cause, [noted, paid], VIEW);
    yield* committed(cause, atMs, changes);
    outbox.push(...jobsIn(changes));
  }
  yield* underLease(author, lastMs + PAID_AFTER_MS, publishAll(author, outbox));

  // Paid long ago: the jobs find nothing to do, and end.
  const ends = expiries.map(({ key }) => [remove(key)]);
  yield* underLease(author, Math.max(...payments.map(({ expiresAtMs }) => expiresAtMs)), ends);
}

/** What is left in the table of commits, as one would find it. */
export function leftBy(commits: Iterable<Commit>): Map<string, Key & Record<string, unknown>> {
  const left = new Map<string, Key & Record<string, unknown>>();
  for (const { changes } of commits) {
    for (const change of changes) {
      if ('put' in change) {
        left.set(nameOf(change.put.item), change.put.item);
      } else if ('remove' in change) {
        left.delete(nameOf(change.remove.key));
      }
    }
  }
  return left;
}

/** An item's key as one text. */
export function nameOf({ pk, sk }: Key): string {
  return `${pk}|${sk}`;
}

/** Where only the key counts. */
const TOUCH = { expression: '', condition: '' };

function nextNumber(author: Author): string {
  const { counts } = author.world;
  const payment = counts.payment + 1;
  author.world = { ...author.world, counts: { ...counts, payment } };
  return `P-${String(payment).padStart(6, '0')}`;
}

function request(world: World): Cause {
  return { world, requestId: newId('req', 0), idempotencyKey: randomUUID() };
}

/** A request's writes: its claim, and its changes in one transaction with its answer. */
function* committed({ world, idempotencyKey }: Cause, atMs: number, changes: readonly Write[]) {
  const key = onceKey(world, String(idempotencyKey));
  const claim = {
    ...key,
    status: 'INPROGRESS',
    ttl: 0,
    leaseEndsAtMs: atMs,
    fingerprint: 'x'.repeat(64),
    beginning: aBeginning(atMs),
  };
  yield alone(atMs, { put: { item: claim, condition: '' } });
  const completion: Write = { update: { ...TOUCH, key, values: { ':answer': SAVED } } };
  yield { atMs, changes: [...changes, completion], isTransaction: true };
}

/** Publishes events, as many in one transaction as fit, and delivers each by itself. */
function* publishAll(author: Author, outbox: readonly WaitingJob[]): Generator<Write[]> {
  const atOnce = publishableAtOnce([author.sink]);
  for (let from = 0; from < outbox.length; from += atOnce) {
    const { world, sink } = author;
    const batch = outbox.slice(from, from + atOnce);
    const published = publish(world, [sink], batch, batch[0]?.job.dueAtMs ?? 0);
    author.world = { ...world, eventCount: world.eventCount + batch.length };
    yield [...published, ...batch.map(({ key }) => remove(key))];
    for (const delivery of jobsIn(published)) {
      yield deliver(world, delivery, published);
    }
  }
}

function* underLease({ world }: Author, atMs: number, commits: Iterable<Write[]>): Generator<Commit> {
  const lease: Write = { update: { ...TOUCH, key: leaseKey(world) } };
  yield alone(atMs, lease);
  for (const changes of commits) {
    yield { atMs, changes, isTransaction: true };
  }
  yield alone(atMs, lease);
}

function deliver(world: World, { key, job }: WaitingJob, published: readonly Write[]): Write[] {
  if (job.kind !== 'deliver-event') {
    throw new Error('publishing queues deliveries and nothing else');
  }
  const { eventId, sinkId, resourceId, sequence, attempt, dueAtMs } = job;
  const event = published.find((change) => 'put' in change && change.put.item.id === eventId);
  return [
    insertDelivery(
      world,
      {
        id: newId('dlv', dueAtMs, sequence),
        sinkId,
        eventId,
        resourceId,
        sequence,
        body: String(event && 'put' in event && event.put.item.body),
        attempt,
        status: 'delivered',
        answeredStatus: 204,
        signatureVerdict: 'unknown',
        requestHeaders: HEADERS,
        attemptedAtMs: dueAtMs,
        nextAttemptAtMs: null,
      },
      dueAtMs,
    ),
    remove(key),
  ];
}

function alone(atMs: number, change: Write): Commit {
  return { atMs, changes: [change], isTransaction: false };
}
