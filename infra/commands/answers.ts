import type { Client } from '../../shared/client/client.ts';
import type { AnswerOf, OperationName } from '../../shared/client/method.ts';
import type { operations } from '../../shared/contract/operations.ts';
import { failureOf, overlapText, recoveredText, sinkBehavior } from '../../shared/story/delivery-words.ts';
import { aheadText, effectsOf } from '../../shared/story/world-words.ts';
import { responseText } from '../events/forward.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { inBangkok } from '../terminal/lines.ts';
import { resourceLine } from './resource-line.ts';

/* What a command that changes something answers to a person. Programs get the response of the API, by --json. */

/** The operations that need a key and change something. */
type ChangingOperation = {
  [Name in OperationName]: (typeof operations)[Name]['idempotent'] extends true ? Name : never;
}[OperationName];

type Lines = readonly string[];
/** @param client reads what an operation led to */
type Answer<Name extends ChangingOperation> = (
  response: AnswerOf<Name>,
  client: Pick<Client, 'getPayment' | 'getRefund' | 'getPayout'>,
) => Lines | Promise<Lines>;

/**
 * What an operation did, in lines for a person; undefined for one that only reads.
 * @param client reads what it led to
 */
export function answerLines(
  name: OperationName,
  response: object,
  client: Client,
): Promise<Lines> | Lines | undefined {
  const answer = (
    ANSWERS as Readonly<Record<string, (response: object, client: Client) => ReturnType<Answer<never>>>>
  )[name];
  return answer?.(response, client);
}

/** The answers by operation. An operation without one does not compile. */
const ANSWERS: { readonly [Name in ChangingOperation]: Answer<Name> } = {
  createPayment: (payment) => [
    `Created ${resourceLine(payment)}`,
    ...addressLines('Checkout page', payment.checkout_url),
    ...addressLines('To pay', payUrlOf(payment)),
  ],
  cancelPayment: (payment) => [`Canceled ${resourceLine(payment)}`],
  markPaymentHandled: (payment) => [`Handled ${resourceLine(payment)}`],
  requestRefund: (refund) => [`Created ${resourceLine(refund)}`],
  cancelRefund: (refund) => [`Canceled ${resourceLine(refund)}`],
  createPaymentLink: (link) => [`Created ${resourceLine(link)}`, ...addressLines('Its page', link.url)],
  disablePaymentLink: (link) => [`Disabled ${resourceLine(link)}`],

  createWebhookEndpoint: (endpoint) => [`Created ${endpointText(endpoint)}`, secretLine(endpoint)],
  updateWebhookEndpoint: (endpoint) => [`Updated ${endpointText(endpoint)}`],
  deleteWebhookEndpoint: ({ id }) => [`Deleted ${cleanText(id)}`],
  rotateWebhookSecret: (endpoint) => [secretLine(endpoint), ...overlapLines(endpoint)],
  sendTestEvent: (attempt) => {
    const failure = failureOf(attempt);
    return [
      responseText(attempt.answered_status, attempt.duration_ms ?? 0),
      ...(failure === null ? [] : [failure]),
    ];
  },
  recoverEvents: (recovered) => [
    recoveredText(recovered),
    ...(recovered.next_since === null
      ? []
      : [`There are more, from ${inBangkok(recovered.next_since)} on: recover them once these are sent.`]),
  ],
  redeliverEvent: ({ event_id, endpoint_id }) => [resentText(event_id, endpoint_id)],
  redeliver: ({ event_id, sink_id }) => [resentText(event_id, sink_id)],

  simulatePayment: simulationLines,
  simulateRefund: simulationLines,
  simulatePayout: simulationLines,
  simulateSettlement: simulationLines,
  advanceClock: (move) => [
    `The clock shows ${inBangkok(move.shifted.to)}, before ${inBangkok(move.shifted.from)}.`,
    effectsOf(move) || 'Nothing was due.',
  ],
  createWebhookSink: (sink) => [`Created ${sinkText(sink)}`, ...addressLines('It receives at', sink.url)],
  updateWebhookSink: (sink) => [`Updated ${sinkText(sink)}`],
  seedTestData: ({ profile, already_seeded: isOld, created }) => [
    isOld ? `The profile ${cleanText(profile)} was there already.` : `Created ${countsText(created)}.`,
  ],
  purgeTestData: ({ deleted, reset_at }) => [
    `Deleted ${countsText(deleted)}.`,
    `The clock shows ${inBangkok(reset_at)}, ${aheadText(0)}.`,
  ],
  createTestWorld: worldLines,
  forkTestWorld: worldLines,
  deleteTestWorld: ({ id }) => [`Deleted ${cleanText(id)}`],
};

type SimulationAnswer = AnswerOf<'simulatePayment'>;

/** What is simulated in words, where the outcome is not the one that was asked for. */
const NO_EFFECT: Readonly<Record<string, string>> = {
  queued: "queued: it takes effect later, on the merchant's clock",
  skipped: 'skipped: the status does not allow it any more',
  empty: 'empty: there is nothing to settle',
};

/** The outcome, and the resource as it is then. Where that cannot be read, the outcome has taken effect all the same. */
async function simulationLines(
  { outcome, replayed, payment_id, refund_id, payout_id }: SimulationAnswer,
  client: Parameters<Answer<'simulatePayment'>>[1],
): Promise<Lines> {
  const words = NO_EFFECT[outcome] ?? cleanText(outcome);
  const text = replayed ? `${words} (the event was reported before, and changes nothing)` : words;
  const about = readOne(client, { payment_id, refund_id, payout_id });
  const resource = await about.catch(() => null);
  const [id] = [refund_id, payout_id, payment_id].filter((each) => each !== null);
  const line = resource === null ? id && cleanText(id) : resourceLine(resource);
  return [line === undefined ? text : `${text}: ${line}`];
}

async function readOne(
  client: Parameters<Answer<'simulatePayment'>>[1],
  { payment_id, refund_id, payout_id }: Pick<SimulationAnswer, 'payment_id' | 'refund_id' | 'payout_id'>,
) {
  if (refund_id !== null) {
    return client.getRefund(refund_id);
  }
  if (payout_id !== null) {
    return client.getPayout(payout_id);
  }
  return payment_id === null ? null : client.getPayment(payment_id);
}

function addressLines(name: string, url: string | null | undefined): Lines {
  return url ? [`${name}: ${cleanText(url)}`] : [];
}

/** Where the payer goes on. */
function payUrlOf({ next_action: next }: AnswerOf<'createPayment'>): string | null {
  return next?.type === 'display_qr' ? next.qr.image_svg_url : next?.type === 'redirect' ? next.url : null;
}

function endpointText({ id, status, url, events }: AnswerOf<'updateWebhookEndpoint'>): string {
  return `${resourceLine({ id, status })}  ${cleanText(url)}  ${cleanText(events.join(','))}`;
}

function secretLine({ secret }: { readonly secret: string }): string {
  return `Signing secret: ${cleanText(secret)}`;
}

function overlapLines({ previous_secret_expires_at: until }: AnswerOf<'rotateWebhookSecret'>): Lines {
  return until === null ? ['The previous secret signs no more.'] : [overlapText(until)];
}

function resentText(eventId: string, receiverId: string): string {
  return `${cleanText(eventId)} is being sent again to ${cleanText(receiverId)}.`;
}

function sinkText(sink: AnswerOf<'updateWebhookSink'>): string {
  return `${cleanText(sink.id)}  ${cleanText(sink.name)}: ${sinkBehavior(sink)}`;
}

function worldLines({ id, name, key, expires_at }: AnswerOf<'createTestWorld'>): Lines {
  return [
    `Created ${cleanText(id)}  ${cleanText(name)}, until ${inBangkok(expires_at)}`,
    `Its key, shown once: ${cleanText(key)}`,
  ];
}

/** `10 payments, 2 payment links`; `nothing`. */
function countsText(counts: Readonly<Record<string, number>>): string {
  const texts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${count === 1 ? name.replace(/s$/, '') : name}`.replaceAll('_', ' '));
  return texts.length === 0 ? 'nothing' : cleanText(texts.join(', '));
}
