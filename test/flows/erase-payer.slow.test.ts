// @module-tag nightly
import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import type { DomainEvent } from '../../shared/domain/event.ts';
import { newId } from '../../shared/domain/id.ts';
import type { OutboxEntry } from '../../shared/store/events/outbox.ts';
import { interceptCalls } from '../../shared/store/table/aws-client.ts';
import { Poster } from '../../shared/webhooks/poster.ts';
import { heldAt, isStep } from '../support/faults/held-call.ts';
import { type Client, newMerchant } from '../support/world/api.ts';
import { baseUrl } from '../support/world/merchant.ts';
import { startMerchantServer } from '../support/world/merchant-server.ts';
import { createLink, createPayment, moveClock, worldOf } from '../support/world/resources.ts';
import { quietItems, storedItems } from '../support/world/stored-items.ts';
import { scanTable } from '../support/world/stored-table.ts';

const { dynamodb } = await import('../../shared/store/table/client.ts');
const { readAudit } = await import('../../shared/store/worlds/audit.ts');
const { commit } = await import('../../shared/store/table/commit.ts');
const { get } = await import('../../shared/store/table/entity.ts');
const { insertEvents, listEvents } = await import('../../shared/store/events/event-log.ts');
const { insertJob } = await import('../../shared/store/scheduler/job.ts');
const { outboxPkOf } = await import('../../shared/store/table/keys.ts');
const { insertOutboxEntry, noteSequence, readOutbox, removePublished } = await import(
  '../../shared/store/events/outbox.ts'
);
const { Leases } = await import('../../shared/store/scheduler/lease.ts');
const { parkJob } = await import('../../shared/store/scheduler/parked.ts');
const { itemsOf, writeAll } = await import('../../shared/store/table/write-all.ts');
const { Dispatcher } = await import('../../shared/flows/dispatch/dispatcher.ts');
const { Publisher } = await import('../../shared/flows/dispatch/publisher.ts');
const { TaskGroup } = await import('../../shared/concurrency/task-group.ts');
const { erasePayer } = await import('../../shared/flows/erase-payer.ts');

const FAR_MS = 300 * 86_400_000;
const DISPATCHED_WITHIN_MS = 30_000;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A payer with unique words, which a search finds wherever they are stored. */
function newPayer() {
  const mark = randomUUID().slice(0, 8);
  const digits = String(Math.floor(Math.random() * 1e7)).padStart(7, '0');
  const address = `2001:db8:${mark.slice(0, 4)}:${mark.slice(4)}::7`;
  return {
    customer: { email: `${mark}@payer.example`, name: `Somchai ${mark}`, phone: `081${digits}` },
    client_ip: address,
    // The number in full: seven digits stand in many a time of another test's items.
    words: [`${mark}@payer`, `Somchai ${mark}`, `081${digits}`, `+6681${digits}`, address],
  };
}

type Payer = ReturnType<typeof newPayer>;

/** The keys of all items in the table that contain data of a payer. */
async function placesOf({ words }: Payer): Promise<string[]> {
  const items = await scanTable();
  return items
    .filter((item) => words.some((word) => JSON.stringify(item).includes(word)))
    .map(({ pk, sk }) => `${pk} ${sk}`)
    .toSorted();
}

async function erase(merchant: string, paymentId: string) {
  const world = await worldOf(merchant);
  return erasePayer(world, await get('payment', world, paymentId), 'a test', Date.now());
}

/** The audit entries of erasures. */
async function auditOf(merchant: string) {
  const entries = [];
  for await (const page of readAudit(merchant)) {
    entries.push(...page.filter(({ action }) => action === 'erase'));
  }
  return entries;
}

/** Everything that stores a payer: a paid and refunded payment, its events, deliveries, saved responses and jobs. */
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
  await moveClock(api, 3_600);
  await quietItems(merchant);
  return { api, merchant, payer, sink, id, body, idempotencyKey, created };
}

/** The published events of a payment, oldest first. */
async function eventsOf(merchant: string, id: string) {
  const { data } = await listEvents(await worldOf(merchant), { limit: 100, resourceId: id });
  return data.toReversed();
}

/** Puts an event of a payment into the outbox, which only the holder of the lease dispatches. */
async function leaveInOutbox(
  merchant: string,
  id: string,
  lease = { owner: 'nobody', leaseEndsAtMs: Date.now() + FAR_MS },
): Promise<void> {
  const world = await worldOf(merchant);
  const [logged] = await eventsOf(merchant, id);
  const event: DomainEvent = {
    type: 'payment.amount_mismatch',
    resourceId: id,
    occurredAtMs: Date.now(),
    previousStatus: null,
    object: JSON.parse(String(logged?.body)).data.object,
    request: { id: null, idempotencyKey: null },
  };
  const version = 9;
  const contents = { events: [event, event], supersededJobs: [] };
  await commit([insertOutboxEntry(world, { id, version }, contents, lease, Date.now() + FAR_MS)]);
}

/** Parks the queued jobs of a payment's world, and delivery jobs for all its published events. */
async function parkJobs(merchant: string, id: string, endpointId: string): Promise<void> {
  const world = await worldOf(merchant);
  const attempts = (await eventsOf(merchant, id)).map(({ id: eventId, sequence }) =>
    insertJob(world, {
      kind: 'deliver-event',
      dueAtMs: Date.now() + FAR_MS,
      eventId,
      resourceId: id,
      endpointId,
      sequence,
      attempt: 2,
    }),
  );
  const queued = (await storedItems(merchant)).filter(({ job }) => job !== undefined);
  const jobs = [...itemsOf(attempts), ...(queued as ReturnType<typeof itemsOf>)];
  expect(jobs.length).toBeGreaterThan(2);
  await commit(jobs.map((job) => parkJob(job, 'Error', Date.now())));
}

/** What the log of a sink shows of a payment. */
async function deliveriesOf(api: Client, endpointId: string, id: string) {
  const { json } = await api(operations.listDeliveries, {
    params: { id: endpointId },
    query: { limit: '100' },
  });
  return json.data.filter(({ body }) => JSON.parse(body).data.object.id === id);
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
  test('from the whole table: payment, events published or not, and saved responses', async () => {
    const { merchant, payer, id } = await newStory();
    await leaveInOutbox(merchant, id);
    const before = await placesOf(payer);
    for (const kind of ['#PAYMENT#', '#EVENTS#', '#OUTBOX#', '#CLAIM#']) {
      expect(before.filter((firstSequence) => firstSequence.includes(kind)).length, kind).toBeGreaterThan(0);
    }
    const erased = await erase(merchant, id);
    expect(await placesOf(payer)).toEqual([]);
    // There are three commits: two events of the creation, one of the payment, two that are not published.
    expect(erased).toEqual({ payments: 1, events: 5, responses: 1, requests: 3, deliveries: 0 });
  });

  test('and was never in jobs, not even in parked ones', async () => {
    const { merchant, payer, sink, id } = await newStory();
    await parkJobs(merchant, id, sink.id);
    const firstSequences = await placesOf(payer);
    expect(
      firstSequences.filter((firstSequence) => /^PARKED|#JOBS#|#DELIVERIES#/.test(firstSequence)),
    ).toEqual([]);
  });

  test('from the log of deliveries, which shows what was sent, and keeps all else', async () => {
    const { api, merchant, payer, sink, id } = await newStory();
    const before = await deliveriesOf(api, sink.id, id);
    expect(before).toHaveLength(3);
    for (const { body } of before) {
      expect(body).toContain(payer.words[0]);
    }
    await erase(merchant, id);
    const after = await deliveriesOf(api, sink.id, id);
    expect(payer.words.filter((word) => JSON.stringify(after).includes(word))).toEqual([]);
    const logged = await eventsOf(merchant, id);
    expect(after).toEqual(before.map((delivery, nth) => ({ ...delivery, body: logged.at(-1 - nth)?.body })));
  });

  test('from saved endpoint responses, which may echo the payer; those to other events stay', async () => {
    const { api, merchant } = await newMerchant();
    const payer = newPayer();
    const toPayment = `saved: ${payer.customer.name}`;
    const receiver = await startMerchantServer({
      answer: (nth) => ({ status: nth === 1 ? 500 : 200, body: nth <= 3 ? toPayment : 'saved' }),
    });
    onTestFinished(() => receiver.stop());
    const params = {
      id: (await api(operations.createWebhookEndpoint, { body: { url: receiver.url } })).json.id,
    };
    const answered = async () => {
      const { data } = (await api(operations.listEndpointDeliveries, { params })).json;
      return data.map(({ answered_body: body }) => body).toReversed();
    };
    const { id } = await createPayment(api, { customer: payer.customer });
    // Before the clock moves: the pause before a retry begins with the first attempt.
    await expect.poll(() => receiver.received.length).toBe(2);
    await moveClock(api, 10);
    await createLink(api);
    await moveClock(api, 1);
    await quietItems(merchant);
    expect(await answered()).toEqual([toPayment, toPayment, toPayment, 'saved']);
    expect(await erase(merchant, id)).toMatchObject({ deliveries: 3 });
    expect(await answered()).toEqual([null, null, null, 'saved']);
    expect(await placesOf(payer)).toEqual([]);
  });

  test('and nothing else: amounts, times and merchant texts stay, in the documented form', async () => {
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

  test('that canceled, whose saved response nests the payer', async () => {
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
});

describe('a payer is erased completely', () => {
  test('once: again finds nothing, and leaves no second record', async () => {
    const { merchant, id } = await newStory();
    await erase(merchant, id);
    const stored = await quietItems(merchant);
    expect(await erase(merchant, id)).toEqual({
      payments: 0,
      events: 0,
      responses: 0,
      requests: 0,
      deliveries: 0,
    });
    expect(await quietItems(merchant)).toEqual(stored);
    expect(await auditOf(merchant)).toMatchObject([{ subject: id, actor: 'a test' }]);
  });

  test('after any number of crashes, at any write', async () => {
    const { merchant, payer, id } = await newStory();
    await leaveInOutbox(merchant, id);
    let deaths = 0;
    for (let isDone = false; !isDone; deaths += 1) {
      let writes = 0;
      // Each run makes one more write than the last, and then dies before or after the next one.
      const stop = interceptCalls(dynamodb, async (call, next) => {
        const isWrite = /^(Update|TransactWrite)/.test(call.operation);
        writes += isWrite ? 1 : 0;
        if (isWrite && writes > 1) {
          throw new Error('dead');
        }
        const answer = await next();
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
      stop();
      expect(deaths).toBeLessThan(100);
    }
    // One death per write.
    expect(deaths).toBeGreaterThan(4);
    expect(await placesOf(payer)).toEqual([]);
    expect(await auditOf(merchant)).toHaveLength(1);
  });

  test('for good: a runner that read an unpublished event before cannot publish it after', async () => {
    const { merchant, payer, id } = await newStory();
    const lease = { owner: 'a teller', leaseEndsAtMs: Date.now() + FAR_MS };
    await leaveInOutbox(merchant, id, lease);
    const world = await worldOf(merchant);
    const [entry] = await readOutbox([outboxPkOf(world, id)]);
    const events = await eventsOf(merchant, id);
    expect(JSON.stringify([entry, events])).toContain(payer.words[0]);
    await erase(merchant, id);
    const firstSequence = 500;
    const published = insertEvents(
      world,
      events.map((event, nth) => ({ ...event, firstSequence, sequence: firstSequence + nth })),
      Date.now(),
    );
    for (const write of [noteSequence, removePublished]) {
      const logged =
        write === noteSequence
          ? noteSequence(entry as NonNullable<typeof entry>, firstSequence, lease)
          : removePublished(entry as NonNullable<typeof entry>, lease);
      expect(await commit([published, logged])).toEqual({ kind: 'conflict', failed: [1] });
    }
    expect(await placesOf(payer)).toEqual([]);
    expect(await readOutbox([outboxPkOf(world, id)])).toMatchObject([{ firstSequence: null, lease }]);
  });

  test('only once a runner that had noted the number of an event has stored it', async () => {
    const { merchant, payer, id } = await newStory();
    const leases = new Leases(FAR_MS / 1_000);
    onTestFinished(() => leases.close());
    await leaveInOutbox(merchant, id, leases.lease);
    const world = await worldOf(merchant);
    const [entry] = (await readOutbox([outboxPkOf(world, id)])) as [OutboxEntry];
    leases.hold(entry.key);
    const held = await heldAt(isStep('publish entry'), () =>
      new Publisher(world, leases).publish([entry], true),
    );
    let isErased = false;
    const erasing = erase(merchant, id).then(() => {
      isErased = true;
    });
    await expect
      .poll(async () =>
        (await eventsOf(merchant, id)).every(({ body }) => !body.includes(String(payer.words[0]))),
      )
      .toBe(true);
    expect(isErased).toBe(false);
    await held.letGo();
    await erasing;
    expect(await placesOf(payer)).toEqual([]);
  });

  test.each(['read', 'published'])(
    'and a runner that had %s an event before dispatches it without the payer',
    async (how) => {
      const { api, merchant, payer, sink, id } = await newStory();
      const leases = new Leases(FAR_MS / 1_000);
      onTestFinished(() => leases.close());
      await leaveInOutbox(merchant, id, leases.lease);
      const world = await worldOf(merchant);
      const pks = [outboxPkOf(world, id)];
      if (how === 'published') {
        const [entry] = await readOutbox(pks);
        const [created] = await eventsOf(merchant, id);
        const { sequence: last } = (await listEvents(world, { limit: 1 })).data[0] ?? { sequence: 0 };
        const events = [1, 2].map((nth) => {
          const sequence = last + nth;
          const type = 'payment.amount_mismatch';
          const evt = newId('evt', Date.now(), sequence);
          const body = JSON.stringify({ ...JSON.parse(String(created?.body)), id: evt, type, sequence });
          return { id: evt, type, resourceId: id, sequence, firstSequence: last + 1, body };
        });
        const outcome = await commit([
          insertEvents(world, events, Date.now(), entry?.key.sk),
          noteSequence(entry as NonNullable<typeof entry>, last + 1, leases.lease),
        ]);
        expect(outcome.kind).toBe('committed');
      }
      const read = await readOutbox(pks);
      expect(read).toHaveLength(1);
      await erase(merchant, id);
      const tasks = new TaskGroup();
      const deadlineMs = Date.now() + DISPATCHED_WITHIN_MS;
      new Dispatcher(world, { baseUrl, poster: new Poster(), deadlineMs, leases, tasks }).add(read);
      await tasks.end(deadlineMs);
      expect(tasks.isEmpty).toBe(true);

      expect(await readOutbox(pks)).toEqual([]);
      expect((await eventsOf(merchant, id)).slice(-2).map(({ type }) => type)).toEqual([
        'payment.amount_mismatch',
        'payment.amount_mismatch',
      ]);
      expect(await placesOf(payer)).toEqual([]);
      const delivered = await deliveriesOf(api, sink.id, id);
      expect(delivered).toHaveLength(3 + 2);
      // It was sent like this, too: the sink has verified the signature of this text.
      expect(delivered.map(({ signature_verdict: verdict }) => verdict)).toEqual(Array(5).fill('valid'));
      expect(payer.words.filter((word) => JSON.stringify(delivered).includes(word))).toEqual([]);
    },
  );

  test('of a payment with very many events', async () => {
    const { api, merchant } = await newMerchant();
    const payer = newPayer();
    const { id } = await createPayment(api, { customer: payer.customer });
    await quietItems(merchant);
    const world = await worldOf(merchant);
    const logged = await eventsOf(merchant, id);
    const many = 230;
    const more = Array.from({ length: many }, (_, nth) => {
      const firstSequence = 1_000 + nth * logged.length;
      const events = logged.map((event, later) => ({
        ...event,
        firstSequence,
        sequence: firstSequence + later,
      }));
      return insertEvents(world, events, Date.now());
    });
    await writeAll(itemsOf(more), []);
    expect((await placesOf(payer)).length).toBeGreaterThan(many);
    expect((await erase(merchant, id))?.events).toBe((many + 1) * logged.length);
    expect(await placesOf(payer)).toEqual([]);
  });
});
