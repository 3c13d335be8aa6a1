import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { SECOND_MS } from '../domain/clock.ts';
import { eraseFromAnswer, eraseFromEvent, eraseFromView, erasePayer } from '../domain/erasure.ts';
import type { DomainEvent } from '../domain/event.ts';
import { newId } from '../domain/id.ts';
import { type Job, subjectOf } from '../domain/job.ts';
import type { Payment } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import { savedAnswerKey } from './claim.ts';
import { documents, tableName } from './client.ts';
import { commit, pastTransactions, type Write } from './commit.ts';
import { find } from './entity.ts';
import { getItems } from './get-items.ts';
import { getItem, type Item, queryPartition, remove } from './item.ts';
import { insertJob, toWaitingJob, type WaitingJob } from './job.ts';
import { byPk, deliveryPks, jobPkOf, type Key } from './keys.ts';
import { mapLimit } from './map-limit.ts';
import { pack, unpack } from './packed.ts';
import { readParkedJobs } from './scheduler/parked.ts';
import { INDEXES } from './table.ts';
import { readSinks } from './testkit/sinks.ts';
import { erasureWrite } from './writes.ts';

/** In how many items of each kind a payer's data was found and erased. */
export interface Erased {
  readonly payments: number;
  /** Published events, and events in the outbox. */
  readonly events: number;
  readonly deliveries: number;
  /** Answers that are saved for replays of an Idempotency-Key. */
  readonly saved_answers: number;
  readonly parked_jobs: number;
}

const PLACES = ['payments', 'events', 'deliveries', 'saved_answers', 'parked_jobs'] as const;
const NOWHERE: Erased = { payments: 0, events: 0, deliveries: 0, saved_answers: 0, parked_jobs: 0 };
const UPDATES_AT_ONCE = 10;
/** How often the payment is read and erased again after a conflict. */
const TRIES_MAX = 20;
/** Indexes lag behind writes: after a look that found something, another one follows after this pause. */
const INDEX_LAG_MS = 1_000;

/**
 * Erases a payer's data from a payment and from everything that was written about it. Safe to repeat: a second run
 * finds nothing more, and after a crash it finishes the first one.
 *
 * The payment comes first, so that its later events have no payer. Its waiting jobs are replaced by new ones: a runner
 * that holds an old one fails to commit, and reads the new one.
 * @param record the audit entry, committed together with the erasure of the payment itself, so once
 * @returns null where there is no such payment
 */
export async function eraseFromStore(
  world: World,
  paymentId: string,
  realNowMs: number,
  record: (payment: Payment) => Write,
): Promise<Erased | null> {
  const payment = await find('payment', world, paymentId);
  if (payment === null) {
    return null;
  }
  let sum = await erasePayment(world, paymentId, realNowMs, record);
  // After an erasure, look at least twice.
  for (let look = sum.payments === 0 ? 2 : 1; ; look += 1) {
    const found = await eraseTraces(world, payment);
    if (look > 1 && sumOf(found) === 0) {
      return sum;
    }
    sum = add(sum, found);
    await sleep(INDEX_LAG_MS);
  }
}

async function erasePayment(
  world: World,
  paymentId: string,
  realNowMs: number,
  record: (payment: Payment) => Write,
): Promise<Erased> {
  for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
    const payment = await find('payment', world, paymentId);
    if (payment === null || payment.payerErasedAtMs !== undefined) {
      return NOWHERE;
    }
    const after = erasePayer(payment, realNowMs);
    const outcome = await commit([...erasureWrite(world, payment, after), record(after)]);
    if (outcome.kind === 'committed') {
      return { ...NOWHERE, payments: 1 };
    }
  }
  throw new Error('The payment kept changing. Nothing was erased: try again.');
}

/** One pass over everything that was written about a payment. */
async function eraseTraces(world: World, payment: Payment): Promise<Erased> {
  const keys = new Set<string>();
  const outbox = await eraseFromOutbox(world, payment.id, keys);
  const told = await eraseFromEvents(world, payment.id, keys);
  const parked = await eraseFromParkedJobs(world, payment.id, keys);
  await requeueDeliveries(world, payment.id);
  return {
    payments: 0,
    events: outbox + told,
    deliveries: await eraseFromDeliveries(world, payment),
    saved_answers: await eraseFromAnswers(world, payment.id, keys),
    parked_jobs: parked,
  };
}

async function eraseFromOutbox(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  const erased = await mapLimit(UPDATES_AT_ONCE, await readJobs(world, paymentId), async (waiting) => {
    const job = eraseFromJob(waiting.job, paymentId);
    noteKey(keys, keyOf(waiting.job));
    return job === null ? 0 : requeue(world, waiting, job);
  });
  return erased.reduce((sum, count) => sum + count, 0);
}

function eraseFromJob(job: Job, paymentId: string): Job | null {
  const object = job.kind === 'publish-event' ? eraseFromView(job.event.object, paymentId) : null;
  return object === null || job.kind !== 'publish-event'
    ? null
    : { ...job, event: { ...job.event, object } satisfies DomainEvent };
}

/** A runner may hold the event as it was, with the payer: requeued, its delivery cannot be committed to the log. */
async function requeueDeliveries(world: World, paymentId: string): Promise<void> {
  const deliveries = (await readJobs(world, paymentId)).filter(({ job }) => job.kind === 'deliver-event');
  await mapLimit(UPDATES_AT_ONCE, deliveries, (waiting) => requeue(world, waiting, waiting.job));
}

/** Replaces a job. Answers 1 also where the old job is gone: it ran, so its results need another look. */
async function requeue(world: World, { key, failures }: WaitingJob, job: Job): Promise<number> {
  await commit([remove(key), insertJob(world, job, failures)]);
  return 1;
}

async function readJobs(world: World, paymentId: string): Promise<WaitingJob[]> {
  const items = await queryPartition(jobPkOf(world, paymentId));
  return items
    .filter(({ job }) => String(job).includes(paymentId))
    .map(toWaitingJob)
    .filter(({ job }) => subjectOf(job) === paymentId);
}

async function eraseFromEvents(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  let erased = 0;
  for await (const pointers of queryPages(related(byPk('event', world, 'resource_id', paymentId)))) {
    const events = await getItems(pointers.map(toKey));
    erased += await updateEach([...events.values()], 'body', (body: string) => {
      noteKey(
        keys,
        (JSON.parse(body) as { request: { idempotency_key: string | null } }).request.idempotency_key,
      );
      return eraseFromEvent(body, paymentId);
    });
  }
  return erased;
}

async function eraseFromDeliveries(world: World, { id, createdAtMs }: Payment): Promise<number> {
  // Ids sort by the clock: no delivery of a payment is older than it.
  const from = newId('dlv', createdAtMs - SECOND_MS);
  const pks = (await readSinks(world)).flatMap((sink) => deliveryPks(world, sink.id));
  const erased = await mapLimit(UPDATES_AT_ONCE, pks, async (pk) => {
    let count = 0;
    for await (const items of queryPages(deliveriesOf(pk, from, id))) {
      count += await updateEach(items, 'body', (body: string) => eraseFromEvent(body, id));
    }
    return count;
  });
  return erased.reduce((sum, count) => sum + count, 0);
}

async function eraseFromAnswers(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  const saved = await Promise.all([...keys].map((key) => getItem(savedAnswerKey(world, key))));
  const answers = saved.filter((item) => item?.answer !== undefined) as Item[];
  return updateEach(answers, 'answer', (packed: Uint8Array) => {
    const answer = eraseFromAnswer(unpack(packed), paymentId);
    return answer === null ? null : pack(answer);
  });
}

async function eraseFromParkedJobs(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  const parked = (await readParkedJobs()).filter(
    ({ worldId, job }) => worldId === world.id && String(job).includes(paymentId),
  );
  return updateEach(parked, 'job', (text: string) => {
    const parkedJob = JSON.parse(text) as Job;
    noteKey(keys, keyOf(parkedJob));
    const job = eraseFromJob(parkedJob, paymentId);
    return job === null ? null : JSON.stringify(job);
  });
}

/**
 * Rewrites one attribute of each item, if it is still as it was read.
 * @param rewrite null where there is nothing to erase
 * @returns in how many items there was something to erase
 */
async function updateEach<Stored extends string | Uint8Array>(
  items: readonly Item[],
  name: string,
  rewrite: (read: Stored) => Stored | null,
): Promise<number> {
  const counts = await mapLimit(UPDATES_AT_ONCE, items, async (item): Promise<number> => {
    const read = item[name] as Stored;
    const next = rewrite(read);
    if (next === null) {
      return 0;
    }
    const command = new UpdateCommand({
      TableName: tableName(),
      Key: toKey(item),
      UpdateExpression: 'SET #name = :next',
      ConditionExpression: '#name = :read',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':next': next, ':read': read },
    });
    await pastTransactions(() => documents.send(command)).catch((error: Error) => {
      // Changed or deleted meanwhile: the next look shows which.
      if (error.name !== 'ConditionalCheckFailedException') {
        throw error;
      }
    });
    return 1;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

type Query = ConstructorParameters<typeof QueryCommand>[0];

async function* queryPages(query: Query): AsyncGenerator<Item[]> {
  let from: Item | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({ ...query, ...(from && { ExclusiveStartKey: from }) }),
    );
    yield answer.Items ?? [];
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
}

function related(pk: string): Query {
  return {
    TableName: tableName(),
    IndexName: 'related',
    KeyConditionExpression: '#pk = :pk',
    ExpressionAttributeNames: { '#pk': INDEXES.related.partitionKey },
    ExpressionAttributeValues: { ':pk': pk },
    Limit: 100,
  };
}

function deliveriesOf(pk: string, from: string, resourceId: string): Query {
  return {
    TableName: tableName(),
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    FilterExpression: 'resourceId = :resourceId',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':resourceId': resourceId },
  };
}

function keyOf(job: Job): string | null {
  return job.kind === 'publish-event' ? job.event.request.idempotencyKey : null;
}

function noteKey(keys: Set<string>, key: string | null): void {
  if (key !== null) {
    keys.add(key);
  }
}

function toKey({ pk, sk }: Item): Key {
  return { pk: String(pk), sk: String(sk) };
}

function add(one: Erased, other: Erased): Erased {
  return { ...NOWHERE, ...Object.fromEntries(PLACES.map((place) => [place, one[place] + other[place]])) };
}

function sumOf(erased: Erased): number {
  return PLACES.reduce((sum, place) => sum + erased[place], 0);
}
