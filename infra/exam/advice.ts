import type { SentEvent } from '../../shared/contract/testkit/exam-report.ts';
import { isDelivered } from '../events/forward.ts';
import { responseText } from './exam-words.ts';
import type { Finding } from './shop-failure.ts';

/* What the developer of a shop looks at first, for each way in which a shop fails. */

const PAID = 'payment.succeeded';
const REFUNDED = 'refund.succeeded';
const SERVER_ERROR_MIN = 500;

/** @param sent what was sent in the shortest story that fails, in this order. @returns null where there is nothing to say */
export function adviceOf(finding: Finding, sent: readonly SentEvent[]): string | null {
  switch (finding.at) {
    case 'response':
      return responseAdvice(finding, sent.at(-1));
    case 'probe':
      return finding.isTooMuch ? tooMuchAdvice(finding.field, sent) : tooLittleAdvice(finding.field, sent);
    default:
      return null;
  }
}

function responseAdvice(
  { must, status }: Finding & { at: 'response' },
  last: SentEvent | undefined,
): string | null {
  if (last === undefined) {
    return null;
  }
  const what = `${nameOf(last)} was ${responseText(last)}`;
  if (must === 'refuse') {
    return isDelivered({ status })
      ? `${what}: does the shop verify the signature, the id and the timestamp before it does anything?`
      : `${what}: a request that cannot be verified is refused with 400 or 401, and is no error of the shop.`;
  }
  if (status === null) {
    return `${what}: does the shop answer first, and do slow work afterwards?`;
  }
  return status >= SERVER_ERROR_MIN
    ? `${what}: the log of the shop says why.`
    : `${what}: its signature is right. Does the shop verify the bytes as they came, and accept what it does not know?`;
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
  return `${what} and nothing changed: does the shop find the order by ${id}?`;
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
