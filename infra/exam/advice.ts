import { REFUSALS } from '../../shared/contract/testkit/exam-questions.ts';
import type { SentEvent } from '../../shared/contract/testkit/exam-report.ts';
import { isDelivered } from '../events/forward.ts';
import type { ExamStep } from './acts.ts';
import { responseText } from './exam-words.ts';
import { MALFORMED, type MannerName } from './manners.ts';
import { type Finding, isBroken } from './shop-failure.ts';

/* What the developer of a shop looks at first, for each way in which a shop fails. */

const PAID = 'payment.succeeded';
const REFUNDED = 'refund.succeeded';

/**
 * @param sent what was sent in the shortest story that fails, in this order
 * @param step the step of it that failed
 * @returns null where there is nothing to say
 */
export function adviceOf(finding: Finding, sent: readonly SentEvent[], step?: ExamStep): string | null {
  switch (finding.at) {
    case 'response':
      return responseAdvice(finding, sent.at(-1), step);
    case 'probe':
      return finding.isTooMuch ? tooMuchAdvice(finding.field, sent) : tooLittleAdvice(finding.field, sent);
    default:
      return null;
  }
}

function responseAdvice(
  { must, status }: Finding & { at: 'response' },
  last: SentEvent | undefined,
  step: ExamStep | undefined,
): string | null {
  if (last === undefined) {
    return null;
  }
  const what = `${nameOf(last)} was ${responseText(last)}`;
  if (must === 'refuse') {
    return `${what}: ${refusalHint(status, mannerNameOf(step))}`;
  }
  const isBurst = step !== undefined && 'act' in step && 'burst' in step.act;
  if (status === null) {
    return isBurst
      ? `${what}: does the shop answer first, and work off a burst afterwards? Does its server take many connections at once?`
      : `${what}: does the shop answer first, and do slow work afterwards?`;
  }
  if (isBroken(status)) {
    return isBurst
      ? `${what}, in the burst: the log of the shop says why. SQLite has one writer at a time: begin with \`BEGIN IMMEDIATE\`, and set a busy timeout. Other databases run out of connections.`
      : `${what}: the log of the shop says why.`;
  }
  const hint = hintOfStatus(status) ?? HINTS_OF_MANNERS[mannerNameOf(step) ?? ''];
  return `${what}: its signature is right. ${hint ?? 'Does the shop verify the bytes as they came, and accept what it does not know?'}`;
}

/** What a status says that is no answer to one event alone. @returns null where it may be an answer to the signature */
export function hintOfStatus(status: number): string | null {
  return status >= 300 && status <= 399 ? REDIRECTED : (HINTS_OF_STATUSES[status] ?? null);
}

const REDIRECTED =
  'No sender of webhooks follows a redirect: give --receiver as the shop has it, with or without a slash at its end, and let no login stand before it.';

const HINTS_OF_STATUSES: Readonly<Record<number, string>> = {
  403: 'Where every request is answered 403, it is mostly a protection of forms (CSRF): take the path of the receiver out of it, as by `csrf_exempt` in Django, `skip_forgery_protection` in Rails, and `except` in Laravel.',
  404: 'Is --receiver its address? Look at the path, the slash at its end, and whether it takes POST.',
  405: 'Is --receiver its address? The path takes no POST.',
  410: 'Is --receiver its address? Nothing is there any more.',
  413: 'A body of a webhook may be larger than the server of the shop allows.',
  415: 'Does the receiver take `application/json`?',
  429: 'A limit of requests stands before the receiver: webhooks come in bursts.',
};

/** Why right requests are refused, by the manner in which they were sent. */
const HINTS_OF_MANNERS: Readonly<Record<string, string>> = {
  twoSignatures: 'Does the shop try each of the signatures?',
  twoSignaturesReversed: 'Does the shop try each of the signatures?',
  unknownVersion: 'Does the shop skip a signature whose version it does not know?',
  otherBytes:
    'Where only this signature is refused, the body was parsed and written again before it was verified: verify the bytes as they came, before any parser.',
  thai: 'Does the shop verify the bytes of the body, and read them as UTF-8?',
  fullMetadata: 'Is there a limit of the shop, for bodies or metadata, that is below that of the API?',
};

/** Why a request that cannot be verified was not refused. */
function refusalHint(status: number | null, manner: MannerName | undefined): string {
  if (isDelivered({ status })) {
    return 'does the shop verify the signature, the id and the timestamp before it does anything?';
  }
  if (!isBroken(status)) {
    return `does the shop verify a request before it does anything else? It refuses with ${REFUSALS.join(', ')}.`;
  }
  return MALFORMED.some((name) => name === manner)
    ? 'a signature that is none makes some libraries raise another error than a wrong one, as `ValueError` in Python and `RangeError` of `timingSafeEqual`: catch it, and answer 400.'
    : 'a request that cannot be verified is refused with 400 or 401, and is no error of the shop.';
}

function mannerNameOf(step: ExamStep | undefined): MannerName | undefined {
  return step !== undefined && 'act' in step && 'manner' in step.act ? step.act.manner : undefined;
}

function tooLittleAdvice(field: string, sent: readonly SentEvent[]): string | null {
  const isRefund = field === 'refunded_minor';
  const type = isRefund ? REFUNDED : PAID;
  const index = sent.findLastIndex((event) => event.type === type);
  const culprit = sent[index];
  if (culprit === undefined) {
    return null;
  }
  const what = `${nameOf(culprit)} was ${responseText(culprit)}`;
  if (field === 'fulfilled') {
    return `${what}, the order is paid, and no goods went out: does something send them after the answer?`;
  }
  const last = sent.at(-1);
  if (last !== undefined && last.type !== type && last.type !== PAID) {
    return `${nameOf(last)} was ${responseText(last)} after ${type}, and what that had done is gone: events come in any order, so does a late one leave the order as it is?`;
  }
  // A refund comes after its payment in any case.
  const before = sent.slice(0, index).map((event) => event.type);
  const unusual = new Set(before.filter((each) => each !== type && !(isRefund && each === PAID)));
  if (unusual.size > 0) {
    return `${what} after ${[...unusual].join(' and ')}, and nothing changed: does the shop decide by what an event says, and not by what came before?`;
  }
  if (culprit.manner !== null) {
    return `${what}, and nothing changed: does the shop need nothing but the type, the ids and the amount?`;
  }
  const id = isRefund ? '`payment_id`' : 'its `reference`, or by the id of its payment';
  return `${what} and nothing changed: does the shop find the order by ${id}? An answer of 2xx where the work failed ends the deliveries.`;
}

function tooMuchAdvice(field: string, sent: readonly SentEvent[]): string | null {
  const last = sent.at(-1);
  if (last === undefined) {
    return null;
  }
  const what = `${nameOf(last)} was ${responseText(last)}`;
  if (field === 'refunded_minor') {
    return last.type === REFUNDED
      ? `${what}, and more was given back than was refunded: does the shop keep the amount of each refund once, by its id?`
      : `${what}, and money counts as given back: only ${REFUNDED} says that it is.`;
  }
  if (last.type !== PAID) {
    return `${what}, and it pays or sends goods: only ${PAID} does.`;
  }
  const own = sent.filter((event) => event.type === PAID && event.event_id === last.event_id);
  return own.length > 1
    ? `${PAID} came ${own.length} times with one id, and its work was done again: does the shop store the id of the event with its effect, in one transaction?`
    : `${what}, and goods went out again or without money: do they go out once for an order that is paid?`;
}

/** `payment.succeeded, signed a day ago,` */
function nameOf({ type, manner }: SentEvent): string {
  return manner === null ? type : `${type}, ${manner},`;
}
