import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import type { Payment } from '../../shared/domain/payment.ts';
import { type Client, newMerchant } from '../support/api.ts';
import { aDelivery } from '../support/entities.ts';
import { advance, createLink, createPayment, worldOf } from '../support/resources.ts';
import { quietItems, storedItems } from '../support/stored-items.ts';
import { scanTable } from '../support/stored-table.ts';

const { documents } = await import('../../shared/store/client.ts');
const { commit } = await import('../../shared/store/commit.ts');
const { eraseFromStore } = await import('../../shared/store/erase.ts');
const { insert, queryPartition, remove } = await import('../../shared/store/item.ts');
const { insertJob, toWaitingJob } = await import('../../shared/store/job.ts');
const { insertDelivery } = await import('../../shared/store/delivery.ts');
const { jobPkOf } = await import('../../shared/store/keys.ts');
const { parkJob } = await import('../../shared/store/scheduler/parked.ts');
const { publish } = await import('../../shared/flows/publish.ts');
const { find } = await import('../../shared/store/entity.ts');

const FAR_MS = 300 * 86_400_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A payer whose every word can be found wherever it is written. */
function newPayer() {
  const mark = randomUUID().slice(0, 8);
  const digits = String(Math.floor(Math.random() * 1e7)).padStart(7, '0');
  const address = `2001:db8:${mark.slice(0, 4)}:${mark.slice(4)}::7`;
  return {
    customer: { email: `${mark}@payer.example`, name: `Somchai ${mark}`, phone: `081${digits}` },
    client_ip: address,
    words: [`${mark}@payer`, `Somchai ${mark}`, digits, address],
  };
}

type Payer = ReturnType<typeof newPayer>;

/** Where in the whole table something of a payer is written. */
async function placesOf({ words }: Payer): Promise<string[]> {
  const items = await scanTable();
  return items
    .filter((item) => words.some((word) => JSON.stringify(item).includes(word)))
    .map(({ pk, sk }) => `${pk} ${sk}`)
    .toSorted();
}

/** Erases as the command does, and counts how often it is put on record. */
async function erase(merchant: string, paymentId: string) {
  const record = ({ id }: Payment) =>
    insert({ pk: `TEST-RECORD#${id}#${randomUUID()}`, sk: 'RECORD', id: `record-${id}` });
  return eraseFromStore(await worldOf(merchant), paymentId, Date.now(), record);
}

const recordsOf = (id: string) => scanTable('id = :value', `record-${id}`);

/** Everything that writes of a payer: a paid and refunded payment, and all that is told, delivered, saved and put aside. */
async function newStory() {
  const { api, merchant } = await newMerchant();
  const payer = newPayer();
  const { customer, client_ip } = payer;
  const sink = (await api(operations.createWebhookSink)).json;
  const idempotencyKey = randomUUID();
  const body = {
    amount: { currency: 'THB', minor: 50_000 },
    method: 'promptpay',
    customer,
    client_ip,
    reference: 'order-7',
    description: 'Two teapots',
    metadata: { customer_email: 'kept: it is the word of the merchant', '2': 1, '10': null },
  };
  const created = await api(operations.createPayment, { body, idempotencyKey });
  const { id } = created.json;
  const paid = await api(operations.simulatePayment, { params: { id }, body: { outcome: 'succeeded' } });
  expect(paid.status).toBe(200);
  expect((await api(operations.requestRefund, { params: { id }, body: {} })).status).toBe(200);
  await advance(api, 3_600);
  await quietItems(merchant);
  return { api, merchant, payer, sink, id, body, idempotencyKey, created };
}

/** An event of a payment in the outbox that no runner takes, and one that was put aside. */
async function leaveUntold(merchant: string, id: string): Promise<void> {
  const world = await worldOf(merchant);
  const told = (await storedItems(merchant)).find(({ type }) => type === 'payment.created');
  const { data } = JSON.parse(String(told?.body));
  const job = (dueAtMs: number) => ({
    kind: 'publish-event' as const,
    dueAtMs,
    event: {
      id: `evt_${randomUUID().replaceAll('-', '').slice(0, 26)}`,
      type: 'payment.succeeded' as const,
      resourceId: id,
      resourceVersion: 9,
      occurredAtMs: Date.now(),
      previousStatus: null,
      object: data.object,
      request: { id: null, idempotencyKey: null },
    },
  });
  const waiting = insertJob(world, job(Date.now() + FAR_MS));
  const bad = insertJob(world, job(Date.now()));
  if (!('put' in bad)) {
    throw new Error('a job is put');
  }
  await commit([waiting, parkJob(bad.put.item, 'Error', Date.now())]);
}

async function everythingAbout(api: Client, id: string) {
  const [payment, refunds, events] = await Promise.all([
    api(operations.getPayment, { params: { id } }),
    api(operations.listRefunds, { query: { payment_id: id } }),
    api(operations.listEvents, { query: { resource_id: id } }),
  ]);
  return { payment: payment.json, refunds: refunds.json, events: events.json.data };
}

const NOBODY = { customer_email: null, customer_name: null, customer_phone: null };

describe('a payer is erased', () => {
  test('from the whole table: payment, events told and untold, deliveries, saved answers and parked jobs', async () => {
    const { merchant, payer, id } = await newStory();
    await leaveUntold(merchant, id);
    const before = await placesOf(payer);
    for (const kind of ['#PAYMENT#', '#EVENT#', '#JOBS#', '#DELIVERIES#', '#ONCE#', 'PARKED']) {
      expect(before.filter((place) => place.includes(kind)).length, kind).toBeGreaterThan(0);
    }
    const erased = await erase(merchant, id);
    expect(await placesOf(payer)).toEqual([]);
    expect(erased).toEqual({ payments: 1, events: 4, deliveries: 3, saved_answers: 1, parked_jobs: 1 });
  });

  test('and nothing else: amounts, times, and the words of the merchant stay, in the form that the API promises', async () => {
    const { api, merchant, id, body, idempotencyKey, created } = await newStory();
    const before = await everythingAbout(api, id);
    await erase(merchant, id);
    const after = await everythingAbout(api, id);
    expect(after.payment).toEqual({ ...before.payment, ...NOBODY });
    expect(after.refunds).toEqual(before.refunds);
    expect(after.events).toEqual(
      before.events.map((event) => ({
        ...event,
        data: { ...event.data, object: { ...event.data.object, ...NOBODY } },
      })),
    );
    const names = (text: unknown) => Object.keys(text as object);
    expect(after.events.map(({ data }) => names(data.object))).toEqual(
      before.events.map(({ data }) => names(data.object)),
    );
    const replay = await api(operations.createPayment, { body, idempotencyKey });
    expect(replay.headers.get('idempotent-replayed')).toBe('true');
    expect(replay.json).toEqual({ ...created.json, ...NOBODY });
  });

  test('that was collected by the page of a link', async () => {
    const { api, merchant } = await newMerchant();
    const payer = newPayer();
    const link = await createLink(api, {
      amount: { type: 'fixed', fixed: { currency: 'THB', minor: 35_000 } },
      collect: { email: 'required', name: 'required', phone: 'required' },
    });
    const page = await (await fetch(link.url)).text();
    const attempt = /name="attempt" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const answer = await fetch(link.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ attempt, ...payer.customer }).toString(),
      redirect: 'manual',
    });
    expect(answer.status).toBe(303);
    const id = (await api(operations.listPayments)).json.data[0]?.id ?? '';
    await quietItems(merchant);
    expect((await placesOf(payer)).length).toBeGreaterThan(1);
    await erase(merchant, id);
    expect(await placesOf(payer)).toEqual([]);
  });

  test('that canceled, whose saved answer nests the payer', async () => {
    const { api, merchant } = await newMerchant();
    const payer = newPayer();
    const { id } = await createPayment(api, { customer: payer.customer });
    const idempotencyKey = randomUUID();
    const canceled = await api(operations.cancelPayment, { params: { id }, idempotencyKey });
    await quietItems(merchant);
    await erase(merchant, id);
    expect(await placesOf(payer)).toEqual([]);
    const replay = await api(operations.cancelPayment, { params: { id }, idempotencyKey });
    expect(replay.json).toEqual({ ...canceled.json, customer: { email: null, name: null, phone: null } });
  });

  test('of this payment alone', async () => {
    const { api, merchant, payer, id } = await newStory();
    const { customer, client_ip } = payer;
    const other = await createPayment(api, { customer, client_ip });
    const before = await everythingAbout(api, other.id);
    await quietItems(merchant);
    const items = async () =>
      (await storedItems(merchant)).filter((item) => JSON.stringify(item).includes(other.id));
    const stored = await items();
    await erase(merchant, id);
    expect(await items()).toEqual(stored);
    expect((await everythingAbout(api, other.id)).payment).toEqual(before.payment);
  });

  test('once: again finds nothing, and leaves no second record', async () => {
    const { merchant, id } = await newStory();
    await erase(merchant, id);
    const stored = await storedItems(merchant);
    expect(await erase(merchant, id)).toEqual({
      payments: 0,
      events: 0,
      deliveries: 0,
      saved_answers: 0,
      parked_jobs: 0,
    });
    expect(await storedItems(merchant)).toEqual(stored);
    expect(await recordsOf(id)).toHaveLength(1);
    expect(await erase(merchant, 'pay_01h455vb4pex5vsknk084sn02q')).toBeNull();
  });

  test('however often it dies on the way, at whatever write', async () => {
    const { merchant, payer, id } = await newStory();
    await leaveUntold(merchant, id);
    const send = documents.send.bind(documents) as (command: object) => Promise<unknown>;
    let deaths = 0;
    for (let isDone = false; !isDone; deaths += 1) {
      let writes = 0;
      // One more write than the time before, and then it is dead: before one, or after it.
      vi.spyOn(documents, 'send').mockImplementation(async (command: object) => {
        const isWrite = /^(Update|TransactWrite)/.test(command.constructor.name);
        writes += isWrite ? 1 : 0;
        if (isWrite && writes > 1) {
          throw new Error('dead');
        }
        const answer = await send(command);
        if (isWrite && deaths % 2 === 0) {
          throw new Error('dead');
        }
        return answer;
      });
      isDone = await erase(merchant, id).then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe('dead');
          return false;
        },
      );
      vi.restoreAllMocks();
      expect(deaths).toBeLessThan(100);
    }
    expect(deaths).toBeGreaterThan(9);
    expect(await placesOf(payer)).toEqual([]);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('for good: a runner that has read an event before cannot tell or log it after', async () => {
    const { api, merchant, payer, id, sink } = await newStory();
    await leaveUntold(merchant, id);
    const world = await worldOf(merchant);
    const jobsOf = async () => (await queryPartition(jobPkOf(world, id))).map(toWaitingJob);
    const told = (await storedItems(merchant)).find(({ type }) => type === 'payment.created');
    const event = await find('event', world, String(told?.id));
    const waiting = insertJob(world, {
      kind: 'deliver-event',
      dueAtMs: Date.now() + FAR_MS,
      eventId: String(event?.id),
      resourceId: id,
      sinkId: sink.id,
      sequence: 1,
      attempt: 2,
    });
    await commit([waiting]);
    const held = (await jobsOf()).filter(({ job }) => job.dueAtMs > Date.now() + FAR_MS / 2);
    expect(held.map(({ job }) => job.kind).toSorted()).toEqual(['deliver-event', 'publish-event']);
    await erase(merchant, id);
    for (const { key, job } of held) {
      const own =
        job.kind === 'publish-event'
          ? publish(world, [], [{ key, job, failures: 0 }], Date.now())
          : [
              insertDelivery(
                world,
                aDelivery({ sinkId: sink.id, resourceId: id, body: String(event?.body) }),
                Date.now(),
              ),
            ];
      expect((await commit([...own, remove(key)])).kind, job.kind).toBe('conflict');
    }
    expect(await placesOf(payer)).toEqual([]);
    expect((await jobsOf()).map(({ job }) => job.kind).toSorted()).toEqual([
      'deliver-event',
      'publish-event',
    ]);
    expect((await api(operations.getPayment, { params: { id } })).status).toBe(200);
  });

  test('of a payment with very many events', async () => {
    const { api, merchant } = await newMerchant();
    const payer = newPayer();
    const { id } = await createPayment(api, { customer: payer.customer });
    await quietItems(merchant);
    const told = (await storedItems(merchant)).find(({ type }) => type === 'payment.created');
    const many = 230;
    for (let from = 0; from < many; from += 20) {
      const changes = Array.from({ length: Math.min(20, many - from) }, (_, place) => {
        const sequence = 1_000 + from + place;
        return insert({
          ...told,
          pk: String(told?.pk).replace(/evt_.*/, `evt_many${sequence}`),
          sk: String(told?.sk),
          id: `evt_many${sequence}`,
          sequence,
          newestSk: String(sequence).padStart(12, '0'),
          relatedSk: String(sequence).padStart(12, '0'),
        });
      });
      await commit(changes);
    }
    expect((await placesOf(payer)).length).toBeGreaterThan(many);
    expect((await erase(merchant, id))?.events).toBe(many + 2);
    expect(await placesOf(payer)).toEqual([]);
  });
});
