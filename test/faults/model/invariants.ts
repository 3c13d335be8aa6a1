import assert from 'node:assert/strict';
import { operations } from '../../../shared/contract/operations.ts';
import type { AnyMachine } from '../../../shared/domain/machine.ts';
import { OPEN_STATUSES } from '../../../shared/domain/payment.ts';
import { RESOURCE_NAMES, RESOURCES, type ResourceName } from '../../../shared/domain/resource.ts';
import type { Client, Received } from '../../support/world/api.ts';

/* What holds for all requests, of any sender, in any number and order. */

type DataOf<Row extends { readonly success: { readonly schema: unknown } }> =
  Row extends Parameters<Client>[0]
    ? Received<Row>['json'] extends { data: (infer One)[] }
      ? One
      : never
    : never;
type Payment = DataOf<typeof operations.listPayments>;
type Refund = DataOf<typeof operations.listRefunds>;
type Event = DataOf<typeof operations.listEvents>;
type Delivery = DataOf<typeof operations.listDeliveries>;

/** Everything that a merchant sees, oldest first, and the merchant's clock before and after it was read. */
export interface Seen {
  readonly fromMs: number;
  readonly toMs: number;
  readonly payments: Payment[];
  readonly refunds: Refund[];
  readonly links: DataOf<typeof operations.listPaymentLinks>[];
  readonly payouts: DataOf<typeof operations.listPayouts>[];
  readonly settlements: DataOf<typeof operations.listSettlements>[];
  readonly events: Event[];
  readonly sinks: { readonly id: string; readonly receivedCount: number; readonly deliveries: Delivery[] }[];
}

/** Where each kind of resource is. A resource that no test sees does not compile. */
const SEEN_AS = {
  payment: 'payments',
  refund: 'refunds',
  paymentLink: 'links',
  payout: 'payouts',
  settlement: 'settlements',
} as const satisfies Readonly<Record<ResourceName, keyof Seen>>;

const LISTS = {
  payments: operations.listPayments,
  refunds: operations.listRefunds,
  links: operations.listPaymentLinks,
  payouts: operations.listPayouts,
  settlements: operations.listSettlements,
  events: operations.listEvents,
  sinks: operations.listWebhookSinks,
  deliveries: operations.listDeliveries,
};

/** Reads everything that a merchant can see. */
export async function look(api: Client): Promise<Seen> {
  const fromMs = await readClock(api);
  const all = async <Name extends keyof typeof LISTS>(name: Name, params: Record<string, string> = {}) => {
    const data: unknown[] = [];
    let after: string | null = null;
    do {
      const query: Record<string, string> = { limit: '100', ...(after !== null && { after }) };
      const isPaged = name !== 'sinks';
      const answer = await api(LISTS[name], { params, ...(isPaged && { query }) });
      const page = answer.json as { data: unknown[]; next_cursor: string | null };
      data.push(...page.data);
      after = page.next_cursor;
    } while (after !== null);
    return data.toReversed() as DataOf<(typeof LISTS)[Name]>[];
  };
  const [payments, refunds, links, payouts, settlements, events, sinks] = await Promise.all([
    all('payments'),
    all('refunds'),
    all('links'),
    all('payouts'),
    all('settlements'),
    all('events'),
    all('sinks'),
  ]);
  const withDeliveries = sinks.map(async ({ id, received_count }) => ({
    id,
    receivedCount: received_count,
    deliveries: await all('deliveries', { id }),
  }));
  return {
    fromMs,
    payments,
    refunds,
    links,
    payouts,
    settlements,
    events,
    sinks: await Promise.all(withDeliveries),
    toMs: await readClock(api),
  };
}

async function readClock(api: Client): Promise<number> {
  return Date.parse((await api(operations.getClock)).json.now);
}

/** Counts the checks, and collects the violations. */
export class Inspection {
  readonly #violations: string[] = [];
  #checks = 0;

  /** Records whether something holds; if it does not, the claim is listed. */
  that(holds: boolean, claim: string): void {
    this.#checks += 1;
    if (!holds) {
      this.#violations.push(claim);
    }
  }

  get violations(): readonly string[] {
    return this.#violations;
  }

  /** @returns how much was checked */
  end(): number {
    assert.deepEqual(this.#violations, []);
    return this.#checks;
  }
}

/** What holds at every moment, between calls: nothing happens before its time, and no limit is exceeded. */
export function inspectMoment(inspection: Inspection, seen: Seen): void {
  const isPast = (timestamp: string) => Date.parse(timestamp) <= seen.toMs;
  for (const { timestamp, type } of seen.events) {
    inspection.that(isPast(timestamp), `${type} came before its time`);
  }
  for (const { attempted_at, attempt } of seen.sinks.flatMap(({ deliveries }) => deliveries)) {
    inspection.that(isPast(attempted_at), `attempt ${attempt} came before its time`);
  }
  for (const payment of seen.payments) {
    const { id, status, expires_at } = payment;
    const isOver = Date.parse(expires_at) <= seen.fromMs;
    const isPayable = status === 'created' || status === 'requires_action';
    inspection.that(!(isPayable && isOver), `${id} is shown as payable after its time`);
    inspection.that(status !== 'expired' || isPast(expires_at), `${id} is shown as expired before its time`);
    inspection.that(
      heldMinor(seen, payment) <= payment.amount.minor,
      `more is refunded of ${id} than was paid`,
    );
  }
  for (const { id, max_uses } of seen.links) {
    // A payment after its time counts too, but cannot be refused: money truth wins.
    const held = seen.payments.filter((it) => it.payment_link_id === id && !it.late && holdsUse(it)).length;
    inspection.that(held <= (max_uses ?? held), `link ${id} holds ${held} uses of ${max_uses}`);
  }
}

function holdsUse({ status }: Payment): boolean {
  return status === 'succeeded' || OPEN_STATUSES.has(status);
}

/** What the refunds of a payment hold or have paid back. */
function heldMinor({ refunds }: Seen, { id }: Payment): number {
  const isDead = ({ status }: Refund) =>
    status === 'rejected' || status === 'canceled' || status === 'failed';
  return sumOf(refunds.filter((it) => it.payment_id === id && !isDead(it)));
}

/**
 * The law of money, at every instant: what was paid, less what was refunded, is unsettled, pending or paid out, and
 * never nowhere.
 * @param stored the items of a world, all of one instant
 */
export function inspectConservation(
  inspection: Inspection,
  stored: readonly Readonly<Record<string, unknown>>[],
): void {
  const { received, unsettled, pending, paidOut } = booksOf(stored);
  inspection.that(
    received === unsettled + pending + paidOut,
    `of ${received} satang, ${unsettled} are unsettled, ${pending} pending and ${paidOut} paid out`,
  );
}

/** Whether a stored item holds the state of money. */
export function isMoney(item: Readonly<Record<string, unknown>>): boolean {
  return isBalance(item) || ['PAYMENT', 'REFUND', 'PAYOUT'].includes(String(item.sk));
}

function isBalance({ pk }: Readonly<Record<string, unknown>>): boolean {
  return /#BALANCES#\d+$/.test(String(pk));
}

/** Where the money of a world is, in satang. */
export function booksOf(stored: readonly Readonly<Record<string, unknown>>[]) {
  const sum = (sk: string, status: string) =>
    stored
      .filter((item) => item.sk === sk && item.status === status)
      .reduce((total, { amount }) => total + BigInt((amount as { minor: number }).minor), 0n);
  const unsettled = stored
    .filter(isBalance)
    .reduce((total, it) => total + BigInt(it.paidMinor as bigint) - BigInt(it.refundedMinor as bigint), 0n);
  return {
    received: sum('PAYMENT', 'succeeded') - sum('REFUND', 'succeeded'),
    unsettled,
    pending: sum('PAYOUT', 'pending'),
    paidOut: sum('PAYOUT', 'paid'),
  };
}

/** What holds when nothing is left to be done: money, events and deliveries agree with one another and the store. */
export function inspectRest(
  inspection: Inspection,
  seen: Seen,
  stored: readonly Readonly<Record<string, unknown>>[],
): void {
  inspectMoney(inspection, seen, stored);
  inspectNumbers(inspection, seen);
  inspectEvents(inspection, seen);
  inspectDeliveries(inspection, seen);
  // What has deleted everything waits for its last look.
  const jobs = stored.flatMap(({ job }) => (job === undefined ? [] : [JSON.parse(String(job))]));
  inspection.that(
    jobs.every(({ lastPassFromMs }) => lastPassFromMs !== undefined),
    'a job is left',
  );
}

function inspectMoney(
  inspection: Inspection,
  seen: Seen,
  stored: readonly Readonly<Record<string, unknown>>[],
): void {
  const { payments, refunds, links, payouts, settlements } = seen;
  const paid = payments.filter(({ status }) => status === 'succeeded');
  const paidBack = refunds.filter(({ status }) => status === 'succeeded');
  for (const payment of payments) {
    const { id, amount } = payment;
    const back = sumOf(paidBack.filter((it) => it.payment_id === id));
    const item = stored.find((it) => it.sk === 'PAYMENT' && it.id === id);
    inspection.that(payment.refunded_minor === back, `${id} does not count what was refunded`);
    inspection.that(
      item?.refundableMinor === amount.minor - heldMinor(seen, payment),
      `${id} does not know what can still be refunded`,
    );
  }
  for (const { id, uses } of links) {
    const own = payments.filter((it) => it.payment_link_id === id);
    const item = stored.find((it) => it.sk === 'LINK' && it.id === id);
    inspection.that(
      uses === own.filter(({ status }) => status === 'succeeded').length,
      `${id} miscounts uses`,
    );
    inspection.that(item?.takenUses === own.filter(holdsUse).length, `${id} miscounts what is taken`);
  }
  const books = booksOf(stored);
  inspection.that(
    books.received === BigInt(sumOf(paid) - sumOf(paidBack)),
    'what is stored of money is not what is shown',
  );
  const kept = payouts.filter(({ status }) => status === 'pending' || status === 'paid');
  inspection.that(
    books.pending + books.paidOut === BigInt(sumOf(kept)),
    'what is stored of payouts is not what is shown',
  );
  inspection.that(books.unsettled <= 0n, 'the last settlement left something');
  inspection.that(isUnique(payouts.map((it) => it.settlement_id)), 'a settlement is paid out twice');
  for (const { id, status, payout_id, expected } of settlements) {
    const payout = payouts.find((it) => it.settlement_id === id);
    const isAsSaid = status === 'matched' ? payout?.amount.minor === expected.minor : payout === undefined;
    inspection.that(isAsSaid && payout_id === (payout?.id ?? null), `${id} is not paid out as it says`);
  }
  inspection.that(
    isUnique(settlements.map(({ provider, value_date }) => `${provider} ${value_date}`)),
    'a provider has settled a day twice',
  );
  inspection.that(
    payouts.every((it) => settlements.some(({ id }) => id === it.settlement_id)),
    'a payout is of no settlement',
  );
}

/** No number of a resource is used twice. */
export function inspectNumbers(inspection: Inspection, seen: Seen): void {
  for (const things of RESOURCE_NAMES.map((name) => seen[SEEN_AS[name]])) {
    inspection.that(
      isUnique(things.map(({ number }: { readonly number: string }) => number)),
      'a number was given out twice',
    );
  }
}

/** Events are numbered without a gap and report each resource's whole history, step by step. */
export function inspectEvents(inspection: Inspection, seen: Seen): void {
  const { events } = seen;
  for (const [index, { sequence }] of events.entries()) {
    inspection.that(sequence === index + 1, `sequence ${sequence} stands at index ${index + 1}`);
  }
  inspection.that(isUnique(events.map(({ id }) => id)), 'two events have one id');
  const byResource = Map.groupBy(events, ({ data }) => String(data.object.id));
  const lives = RESOURCE_NAMES.flatMap((name) => {
    const machine: AnyMachine | null = RESOURCES[name].machine;
    return seen[SEEN_AS[name]].map(({ id, status }) => ({
      id,
      status,
      machine: machine ?? { [status]: {} },
    }));
  });
  for (const { id, status, machine } of lives) {
    // A machine names its first status first.
    const [start] = Object.keys(machine);
    let [before, atMs]: [string | null, number] = [null, 0];
    for (const { type, timestamp, data } of byResource.get(id) ?? []) {
      const after = String(data.object.status);
      // What an event names beside statuses happens within one.
      const isWithin = before === after && !(type.slice(type.indexOf('.') + 1) in machine);
      // A payer may choose another method, and then has something else to do.
      const isAgain = before === after && type === 'payment.requires_action';
      const isStep: boolean =
        before === null ? after === start : Object.values(machine[before] ?? {}).includes(after);
      inspection.that(data.previous_status === before, `${type} of ${id} does not follow ${before}`);
      inspection.that(
        isWithin || (isStep && (before !== after || isAgain)),
        `${id} must not go from ${before} to ${after}`,
      );
      inspection.that(Date.parse(timestamp) >= atMs, `${type} of ${id} is reported before an earlier event`);
      [before, atMs] = [after, Date.parse(timestamp)];
    }
    inspection.that(before === status, `${id} is ${status}, and its last event reported ${before}`);
  }
  for (const [key, ofKey] of Map.groupBy(events, ({ request }) => request.idempotency_key)) {
    const isOne = new Set(ofKey.map(({ request }) => request.id)).size === 1;
    inspection.that(key === null || isOne, `the key ${key} had its effect twice`);
  }
}

function inspectDeliveries(inspection: Inspection, { sinks, events }: Seen): void {
  for (const { deliveries, receivedCount } of sinks) {
    const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id);
    for (const event of events) {
      const attempts = (byEvent.get(event.id) ?? []).toSorted((a, b) => a.attempt - b.attempt);
      const last = attempts.at(-1)?.status;
      const ends = attempts.filter(({ status }) => status !== 'failed').length;
      inspection.that(
        ends === 1 && last !== 'failed',
        `${event.type} was not delivered, or went on after that`,
      );
      inspection.that(
        attempts.every(({ attempt }, index) => attempt === index + 1),
        `${event.type} was delivered by the attempts ${attempts.map(({ attempt }) => attempt)}`,
      );
      for (const { signature_verdict, body, answered_status } of attempts) {
        // The sink's verdict comes with its response, which may be too late on a slow machine, or say that it failed.
        inspection.that(
          signature_verdict === 'valid' || answered_status === null || answered_status >= 500,
          `the signature of ${event.type} is ${signature_verdict}`,
        );
        inspection.that(body === JSON.stringify(event), `another ${event.type} was sent than is shown`);
      }
    }
    // A runner that has lost its lease may have sent a delivery that another one logs.
    const judged = deliveries.filter((it) => it.signature_verdict === 'valid');
    inspection.that(receivedCount >= judged.length, 'more was judged than received');
    inspection.that(byEvent.size === events.length, 'something was delivered that is no event');
  }
}

/**
 * Every change without a request came when it was due: expiry, the steps of a refund, and delayed provider events.
 * @param wordsDueMs from when queued provider events may take effect, by the id of their target
 */
export function inspectTimes(
  inspection: Inspection,
  { events }: Seen,
  wordsDueMs: ReadonlyMap<string, readonly number[]>,
): void {
  const approvedAtMs = new Map<string, number>();
  for (const event of events) {
    const { type, timestamp, data, request } = event;
    const { object } = data;
    const atMs = Date.parse(timestamp);
    const dueMs: number[] = [...(wordsDueMs.get(object.id) ?? [])];
    if (type === 'refund.approved' || type === 'refund.rejected') {
      dueMs.push(Date.parse(object.created_at) + 15 * 60_000);
      approvedAtMs.set(object.id, atMs);
    }
    if (type === 'refund.processing') {
      dueMs.push((approvedAtMs.get(object.id) ?? Number.POSITIVE_INFINITY) + 60_000);
    }
    const expiresMs = type === 'payment.expired' ? [Date.parse(data.object.expires_at)] : dueMs;
    const isDue = expiresMs.some((due) => due <= atMs);
    inspection.that(
      isDue || (request.id !== null && type !== 'payment.expired'),
      `${type} came before it was due`,
    );
  }
}

function sumOf(things: readonly { readonly amount: { readonly minor: number } }[]): number {
  return things.reduce((sum, { amount }) => sum + amount.minor, 0);
}

function isUnique(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}
