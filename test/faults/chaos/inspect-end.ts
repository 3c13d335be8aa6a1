import { operations } from '../../../shared/contract/operations.ts';
import type { Inspection, Seen } from '../model/invariants.ts';
import type { Call } from './caller.ts';
import type { Fault } from './machines.ts';
import type { Sighting } from './sink-proxy.ts';
import type { Plot } from './stories.ts';

/* What must be true of a merchant when all is quiet again, given its clients' responses and its sink's deliveries. */

/** After a fault: the leases of dead runners and requests without a response have ended. */
const AFTERMATH_MS = 30_000;

/** Everything that one merchant sees at the end, and received before. */
export interface Ending {
  readonly seen: Seen;
  readonly calls: readonly Call[];
  /** What has arrived for the merchant's sink, in that order. */
  readonly sightings: readonly Sighting[];
  readonly offsetSeconds: number;
  readonly plot: Plot;
}

/** The response of a call that succeeded; undefined if it was refused. */
function answerOf({ replies }: Call): { text: string; json: Record<string, unknown> } | undefined {
  const text = replies.find(({ status }) => status < 400)?.text;
  return text === undefined ? undefined : { text, json: text.startsWith('{') ? JSON.parse(text) : {} };
}

/** The event that an effect publishes, exactly once, under its key. */
function eventOf({ what }: Call, answer: Record<string, unknown>): string | null {
  const { outcome } = answer;
  switch (what) {
    case operations.createPayment.id:
      return 'payment.created';
    case operations.cancelPayment.id:
      return 'payment.canceled';
    case operations.requestRefund.id:
      return 'refund.requested';
    case operations.cancelRefund.id:
      return 'refund.canceled';
    case operations.createPaymentLink.id:
      return 'payment_link.created';
    case operations.disablePaymentLink.id:
      return 'payment_link.disabled';
    case operations.simulatePayment.id:
      return outcome === 'queued'
        ? null
        : `payment.${{ pending: 'processing', mismatch: 'amount_mismatch' }[String(outcome)] ?? outcome}`;
    case operations.simulateRefund.id:
      return `refund.${outcome}`;
    case operations.simulatePayout.id:
      return `payout.${outcome}`;
    case operations.simulateSettlement.id:
      return outcome === 'empty' ? null : `settlement.${outcome}`;
    default:
      return null;
  }
}

/** Every confirmed effect exists exactly once, and nothing exists without a request. */
export function inspectEffects(inspection: Inspection, { seen, calls }: Ending): void {
  const eventsByKey = Map.groupBy(seen.events, ({ request }) => request.idempotency_key);
  for (const call of calls) {
    const { what, key, replies, isUnsure, lostTo } = call;
    inspection.that(lostTo === null, `${what} (${key}) got no definite answer: ${lostTo}`);
    const answer = answerOf(call);
    const events = eventsByKey.get(key) ?? [];
    const texts = new Set(replies.filter(({ status }) => status < 400).map(({ text }) => text));
    inspection.that(texts.size <= 1, `${what} got ${texts.size} different responses for one key`);
    inspection.that(
      replies.every(({ text }) => !text.includes('"idempotency_key_reused"')),
      `${what} is taken for another request`,
    );
    if (answer === undefined) {
      inspection.that(isUnsure || events.length === 0, `${what} was refused and took effect`);
      continue;
    }
    const type = eventOf(call, answer.json);
    const times = events.filter((event) => event.type === type).length;
    inspection.that(type === null || times === 1, `${what} is reported ${times} times by ${type}`);
  }
  const keys = new Set<string | null>(calls.map(({ key }) => key));
  inspection.that(
    [...eventsByKey.keys()].every((key) => key === null || keys.has(key)),
    'something happened under a key that nobody has sent',
  );

  const { payments, refunds, links, settlements } = seen;
  const ordered = payments.filter(({ payment_link_id }) => payment_link_id === null);
  const byLink = payments.filter(({ payment_link_id }) => payment_link_id !== null);
  inspectThere(inspection, calls, operations.createPayment.id, ordered, (it) => it.reference);
  inspectThere(inspection, calls, operations.requestRefund.id, refunds, (it) => it.reason);
  inspectThere(inspection, calls, operations.simulateSettlement.id, settlements, (it) => it.provider);
  inspectNumber(inspection, calls, operations.createPaymentLink.id, links.length);
  inspectNumber(inspection, calls, 'form', byLink.length);
  for (const { id, uses } of links) {
    const paid = byLink.filter((it) => it.payment_link_id === id && it.status === 'succeeded').length;
    inspection.that(uses === paid, `link ${id} counts ${uses} uses, and ${paid} payments of it are paid`);
  }
}

/** A resource that shows its key exists once, or not at all if the request was refused. */
function inspectThere<Thing extends { readonly id: string }>(
  inspection: Inspection,
  calls: readonly Call[],
  what: string,
  things: readonly Thing[],
  keyOf: (thing: Thing) => string | null,
): void {
  const byKey = Map.groupBy(things, keyOf);
  const sent = calls.filter((call) => call.what === what);
  for (const call of sent) {
    const found = byKey.get(call.key) ?? [];
    const { json } = answerOf(call) ?? {};
    if (json === undefined) {
      inspection.that(call.isUnsure || found.length === 0, `${what} was refused, and exists`);
      continue;
    }
    const isNothing = json.outcome === 'empty';
    inspection.that(found.length === (isNothing ? 0 : 1), `${what} exists ${found.length} times`);
    inspection.that(
      json.id === undefined || found.every(({ id }) => id === json.id),
      `${what} is there with another id than was answered`,
    );
  }
  const keys = new Set<string | null>(sent.map(({ key }) => key));
  inspection.that(
    [...byKey.keys()].every((key) => keys.has(key)),
    `${what} exists without a request`,
  );
}

function inspectNumber(inspection: Inspection, calls: readonly Call[], what: string, there: number): void {
  const sent = calls.filter((call) => call.what === what);
  const answered = new Set(sent.flatMap((call) => answerOf(call)?.text ?? [])).size;
  const unsure = sent.filter((call) => call.isUnsure && answerOf(call) === undefined).length;
  inspection.that(
    there >= answered && there <= answered + unsure,
    `there are ${there} by ${what}, and ${answered} answers that say so`,
  );
}

/** Effects of time have come: expiry, approvals, later provider events. */
export function inspectTime(inspection: Inspection, { seen, calls, offsetSeconds, plot }: Ending): void {
  const { payments, refunds } = seen;
  const statuses = new Map(payments.map(({ id, status }) => [id, status]));
  for (const id of plot.abandoned) {
    inspection.that(statuses.get(id) === 'expired', `${id} was left alone and is ${statuses.get(id)}`);
  }
  for (const id of plot.paidLater) {
    inspection.that(statuses.get(id) === 'succeeded', `${id} was to be paid and is ${statuses.get(id)}`);
  }
  for (const { id, status } of payments) {
    const isOver = status !== 'created' && status !== 'requires_action';
    inspection.that(isOver, `the time of ${id} is over, and it is ${status}`);
  }
  for (const { id, status } of refunds) {
    const isDecided = status !== 'requested' && status !== 'approved';
    inspection.that(isDecided, `${id} should have been approved and sent, and is ${status}`);
  }

  const moves = calls.flatMap((call) => {
    const json = call.what === operations.advanceClock.id ? answerOf(call)?.json : undefined;
    return json === undefined ? [] : [json as { advanced_seconds: number; shifted: Record<string, string> }];
  });
  const sum = moves.reduce((total, { advanced_seconds }) => total + advanced_seconds, 0);
  inspection.that(offsetSeconds === sum, `the clock was moved by ${offsetSeconds} seconds instead of ${sum}`);
  let lastMs = 0;
  const spans = moves.map(({ advanced_seconds, shifted }) => ({
    fromMs: Date.parse(String(shifted.from)),
    toMs: Date.parse(String(shifted.to)),
    forMs: advanced_seconds * 1_000,
  }));
  for (const { fromMs, toMs, forMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    inspection.that(toMs - fromMs === forMs, `a move by ${forMs} ms went from ${fromMs} to ${toMs}`);
    inspection.that(fromMs >= lastMs, 'two moves of the clock overlap');
    lastMs = toMs;
  }
}

/** All payments, less all refunds, are paid out: the last settlement has left nothing. */
export function inspectMoney(inspection: Inspection, { seen }: Ending): void {
  const { payments, refunds, payouts, settlements } = seen;
  const paid = payments.filter(({ status }) => status === 'succeeded');
  const paidBack = refunds.filter(({ status }) => status === 'succeeded');
  const kept = payouts.filter(({ status }) => status === 'pending' || status === 'paid');
  const received = sumOf(paid) - sumOf(paidBack);
  inspection.that(received === sumOf(kept), `${received} satang came in, and ${sumOf(kept)} are paid out`);
  for (const { id, refunded_minor } of payments) {
    const back = sumOf(paidBack.filter((it) => it.payment_id === id));
    inspection.that(refunded_minor === back, `${id} counts ${refunded_minor} as refunded instead of ${back}`);
  }
  const bySettlement = Map.groupBy(payouts, ({ settlement_id }) => settlement_id);
  inspection.that(payouts.length === settlements.length, 'a settlement is without its one payout');
  for (const { id, expected } of settlements) {
    const own = bySettlement.get(id) ?? [];
    const isPaidOut = own.length === 1 && own[0]?.amount.minor === expected.minor;
    inspection.that(isPaidOut, `settlement ${id} has ${own.length} payouts, or another amount`);
  }
}

function sumOf(things: readonly { readonly amount: { readonly minor: number } }[]): number {
  return things.reduce((sum, { amount }) => sum + amount.minor, 0);
}

/** Each event reached its sink, first in order, always with the same content; the log agrees. */
export function inspectDeliveries(inspection: Inspection, { seen, sightings }: Ending): void {
  const { events, sinks } = seen;
  const byEvent = Map.groupBy(sightings, ({ eventId }) => eventId);
  const logged = Map.groupBy(sinks[0]?.deliveries ?? [], ({ event_id }) => event_id);
  inspection.that(byEvent.size === events.length, `${byEvent.size} events arrived of ${events.length}`);
  for (const event of events) {
    const { id, type, sequence } = event;
    const name = `${type} (sequence ${sequence})`;
    const arrived = byEvent.get(id) ?? [];
    inspection.that(arrived.some(isTaken), `${name} was never taken by the sink`);
    inspection.that(
      arrived.every((it) => it.webhookId === id && it.sequence === sequence),
      `${name} arrived under another id or number`,
    );
    inspection.that(
      new Set(arrived.map(({ bodyHash }) => bodyHash)).size <= 1,
      `${name} was not the same each time`,
    );
    const attempts = (logged.get(id) ?? []).toSorted((a, b) => a.attempt - b.attempt);
    const taken = attempts.filter(({ status }) => status === 'delivered').length;
    inspection.that(
      taken === 1 && attempts.at(-1)?.status === 'delivered',
      `${name} is logged as ${attempts.map(({ status }) => status)}`,
    );
    inspection.that(
      attempts.every(({ attempt }, index) => attempt === index + 1),
      `${name} is logged with the attempts ${attempts.map(({ attempt }) => attempt)}`,
    );
    for (const { body, request_headers, signature_verdict, status } of attempts) {
      inspection.that(body === JSON.stringify(event), `another ${name} was sent than is shown`);
      inspection.that(request_headers['webhook-id'] === id, `${name} was sent under another id`);
      const isSigned =
        signature_verdict === 'valid' || (status === 'failed' && signature_verdict === 'unknown');
      inspection.that(isSigned, `the signature of ${name} is ${signature_verdict}`);
    }
  }
  // The first attempt may not have reached the merchant's sink, so that the second one arrives first.
  const isLost = (eventId: string) =>
    logged.get(eventId)?.some(({ attempt, answered_status }) => attempt === 1 && answered_status === null);
  for (const [id, arrived] of Map.groupBy(sightings, ({ resourceId }) => resourceId)) {
    const seen = arrived.filter(({ eventId }) => !isLost(eventId));
    const order = [...new Set(seen.map(({ sequence }) => sequence))];
    const isInOrder = order.every((sequence, index) => sequence > (order[index - 1] ?? 0));
    const how = arrived
      .map(({ sequence, atMs, status }) => `${sequence} (${status}, ${new Date(atMs).toISOString()})`)
      .join(', ');
    const log = [...new Set(arrived.map(({ eventId }) => eventId))].flatMap(
      (eventId) => logged.get(eventId) ?? [],
    );
    const attempts = log
      .map(
        (it) =>
          `${JSON.parse(it.body).sequence}/${it.attempt} (${it.answered_status}, sent ${it.request_headers['webhook-timestamp']})`,
      )
      .join(', ');
    inspection.that(
      isInOrder,
      `the events of ${id} arrived for the first time in another order: ${how}; logged: ${attempts}`,
    );
  }
  for (const [id, own] of Map.groupBy(events, ({ data }) => String(data.object.id))) {
    const firsts = own.flatMap((event) => logged.get(event.id)?.find(({ attempt }) => attempt === 1) ?? []);
    const times = firsts.map(({ attempted_at }) => Date.parse(attempted_at));
    const isInOrder = times.every((atMs, index) => atMs >= (times[index - 1] ?? 0));
    inspection.that(isInOrder, `the first attempts of ${id} are logged in another order than its events`);
  }
}

/** Whether the sink reported that it accepted a delivery. */
export function isTaken({ status }: Sighting): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * A delivery that was repeated after it had been accepted was sent close to a fault, and never when all was well.
 * @returns how many events were accepted more than once
 */
export function inspectDoubles(
  inspection: Inspection,
  { sightings }: Pick<Ending, 'sightings'>,
  faults: readonly Fault[],
  calmFromMs: number,
): number {
  let doubles = 0;
  for (const arrived of Map.groupBy(sightings, ({ eventId }) => eventId).values()) {
    const taken = arrived.filter(isTaken);
    const [first, last] = [taken[0], taken.at(-1)];
    if (first === undefined || last === undefined || first === last) {
      continue;
    }
    doubles += 1;
    const isExplained = faults.some(
      ({ fromMs, toMs }) => fromMs <= last.atMs && first.atMs <= toMs + AFTERMATH_MS,
    );
    const times = taken.map(({ atMs }) => new Date(atMs).toISOString()).join(', ');
    inspection.that(
      isExplained && first.atMs < calmFromMs,
      `the event of sequence ${first.sequence} was delivered again without a fault: at ${times}`,
    );
  }
  return doubles;
}
