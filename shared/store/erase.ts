import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '../domain/delivery.ts';
import {
  eraseFromDelivery,
  eraseFromEvent,
  eraseFromResponse,
  eraseFromView,
  erasePayer,
} from '../domain/erasure.ts';
import type { DomainEvent } from '../domain/event.ts';
import { firstIdAt } from '../domain/id.ts';
import type { Payment } from '../domain/payment.ts';
import type { World } from '../domain/world.ts';
import { savedResponseKey } from './claim.ts';
import { documents, tableName } from './client.ts';
import { commit, isMet, pastTransactions, type Write } from './commit.ts';
import { readEndpoints } from './endpoint.ts';
import { find } from './entity.ts';
import { getItems } from './get-items.ts';
import { indexPages } from './index-entries.ts';
import { getItem, type StoredItem } from './item.ts';
import { deliveryPks, type Key, resourceEventsPk } from './keys.ts';
import { mapLimit } from './map-limit.ts';
import { readOutboxOf, rewriteEntry } from './outbox.ts';
import { pack, unpack } from './packed.ts';
import { erasureWrite } from './writes.ts';

/** In how many items of each kind a payer's data was found and erased. */
export interface Erased {
  readonly payments: number;
  /** Events, published or in the outbox. The log of deliveries shows the same text. */
  readonly events: number;
  /** Responses that are saved for replays of an Idempotency-Key. */
  readonly saved_answers: number;
  /** Attempts to deliver for which the start of the response is stored. */
  readonly deliveries: number;
}

const PLACES = ['payments', 'events', 'saved_answers', 'deliveries'] as const;
const NOWHERE: Erased = { payments: 0, events: 0, saved_answers: 0, deliveries: 0 };
const UPDATES_AT_ONCE = 10;
const SHARDS_AT_ONCE = 10;
/** How often the payment is read and erased again after a conflict. */
const TRIES_MAX = 20;
/** Indexes lag behind writes: after a look that found something, another one follows after this pause. */
const INDEX_LAG_MS = 1_000;

/**
 * Erases a payer's data from a payment and from everything that was written about it. Safe to repeat: a second run
 * finds nothing more, and after a crash it finishes the first one.
 *
 * The payment comes first, so that its later events have no payer. A runner that is about to publish an event as it was
 * before fails, and reads it again.
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
  const { id } = payment;
  const keys = new Set<string>();
  const inOutbox = await eraseFromOutbox(world, id, keys);
  const inLog = await eraseFromEvents(world, id, keys);
  return {
    payments: 0,
    events: inOutbox + inLog,
    saved_answers: await eraseFromResponses(world, id, keys),
    deliveries: await eraseFromDeliveries(world, payment),
  };
}

async function eraseFromOutbox(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  const entries = await readOutboxOf(world, paymentId);
  const counts = await mapLimit(UPDATES_AT_ONCE, entries, async (entry): Promise<number> => {
    const erased = entry.events.map((event) => eraseFromDomainEvent(event, keys));
    if (erased.every((event) => event === null)) {
      return 0;
    }
    const events = entry.events.map((event, nth) => erased[nth] ?? event);
    // If the entry is changed or dispatched meanwhile, the next look finds the result.
    await commit([rewriteEntry(entry, events)]);
    return erased.filter((event) => event !== null).length;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function eraseFromDomainEvent(event: DomainEvent, keys: Set<string>): DomainEvent | null {
  noteKey(keys, event.request.idempotencyKey);
  const object = eraseFromView(event.object, event.resourceId);
  return object === null ? null : { ...event, object };
}

async function eraseFromEvents(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  let erased = 0;
  for await (const entries of indexPages({
    index: 'related',
    pk: resourceEventsPk(world, paymentId),
    limit: 100,
  })) {
    erased += await updateEach(await getItems(entries), 'data', (text) => {
      const bodies = text.split('\n');
      for (const body of bodies) {
        const { request } = JSON.parse(body) as { request: { idempotency_key: string | null } };
        noteKey(keys, request.idempotency_key);
      }
      const next = bodies.map((body) => eraseFromEvent(body, paymentId));
      const count = next.filter((body) => body !== null).length;
      return { count, text: bodies.map((body, nth) => next[nth] ?? body).join('\n') };
    });
  }
  return erased;
}

async function eraseFromResponses(world: World, paymentId: string, keys: Set<string>): Promise<number> {
  const saved = await Promise.all([...keys].map((key) => getItem(savedResponseKey(world, key))));
  const answers = saved.filter((item) => item?.answer !== undefined) as StoredItem[];
  return updateEach(answers, 'answer', (answer) => {
    const text = eraseFromResponse(answer, paymentId);
    return { count: text === null ? 0 : 1, text: text ?? answer };
  });
}

/** Looks through all delivery logs since the payment was created: no index leads to its attempts alone. */
async function eraseFromDeliveries(world: World, { id, createdAtMs }: Payment): Promise<number> {
  const pks = (await readEndpoints(world)).flatMap((endpoint) => deliveryPks(world, endpoint.id));
  const counts = await mapLimit(SHARDS_AT_ONCE, pks, async (pk): Promise<number> => {
    let erased = 0;
    for await (const items of queryPages(loggedSince(pk, createdAtMs))) {
      erased += await updateEach(items, 'data', (text) => {
        const attempts = JSON.parse(text) as Delivery[];
        const next = attempts.map((attempt) => eraseFromDelivery(attempt, id));
        const count = next.filter((attempt) => attempt !== null).length;
        return { count, text: JSON.stringify(attempts.map((attempt, nth) => next[nth] ?? attempt)) };
      });
    }
    return erased;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Rewrites a packed attribute of each item, if it is still as it was read.
 * @param rewrite the text without what is erased, and in how many places it was
 * @returns in how many places there was something to erase
 */
async function updateEach(
  items: readonly StoredItem[],
  name: string,
  rewrite: (text: string) => { readonly text: string; readonly count: number },
): Promise<number> {
  const counts = await mapLimit(UPDATES_AT_ONCE, items, async (item): Promise<number> => {
    const read = item[name] as Uint8Array;
    const { text, count } = rewrite(unpack(read));
    if (count === 0) {
      return 0;
    }
    const command = new UpdateCommand({
      TableName: tableName(),
      Key: toKey(item),
      UpdateExpression: 'SET #name = :next',
      ConditionExpression: '#name = :read',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':next': pack(text), ':read': read },
    });
    // Where it was changed or deleted meanwhile, the next look shows which.
    await isMet(pastTransactions(() => documents.send(command)));
    return count;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

type QueryInput = ConstructorParameters<typeof QueryCommand>[0];

async function* queryPages(query: QueryInput): AsyncGenerator<StoredItem[]> {
  let from: StoredItem | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({ ...query, ...(from && { ExclusiveStartKey: from }) }),
    );
    yield answer.Items ?? [];
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
}

function loggedSince(pk: string, atMs: number): QueryInput {
  return {
    TableName: tableName(),
    KeyConditionExpression: 'pk = :pk AND sk >= :first',
    ExpressionAttributeValues: { ':pk': pk, ':first': firstIdAt('dlv', atMs) },
    ConsistentRead: true,
  };
}

function noteKey(keys: Set<string>, key: string | null): void {
  if (key !== null) {
    keys.add(key);
  }
}

function toKey({ pk, sk }: StoredItem): Key {
  return { pk: String(pk), sk: String(sk) };
}

function add(one: Erased, other: Erased): Erased {
  return { ...NOWHERE, ...Object.fromEntries(PLACES.map((place) => [place, one[place] + other[place]])) };
}

function sumOf(erased: Erased): number {
  return PLACES.reduce((sum, place) => sum + erased[place], 0);
}
