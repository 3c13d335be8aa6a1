/* The questions of the exam (contract §19) in words: the exam, its reports, the guide and the dashboard show them. */

/** What groups of questions are about, by the first part of their ids. */
export const EXAM_GROUPS = {
  PAY: 'Payments',
  DUP: 'Duplicates',
  ORD: 'Order of events',
  SIG: 'Signatures',
  FWD: 'Changes to come',
  REF: 'Refunds',
  OUT: 'Outages',
  STR: 'Strangers',
  BIG: 'Large and unusual',
} as const;
export type ExamGroup = keyof typeof EXAM_GROUPS;

/**
 * What counts as the refusal of a request that cannot be verified. 404 does not: the address may be another one, or the
 * order may be looked up first. An error of the server does not either: it says that the shop is broken, and the sender
 * tries again.
 */
export const REFUSALS = [400, 401, 403, 422] as const;
const REFUSED = `Refuse it with ${REFUSALS.join(', ').replace(/, (\d+)$/, ' or $1')}`;

/** A question in words. */
export interface QuestionWords {
  readonly title: string;
  /** What a shop must do. */
  readonly must: string;
  /** What it costs those who do not. */
  readonly why: string;
}

/** Every question by its id, in the order in which they are asked. The burst is the last: a shop works at it for long. */
export const EXAM_QUESTIONS = {
  'PAY-01': {
    title: 'A payment that succeeds pays its order once',
    must: 'Mark the order as paid and send the goods exactly once.',
    why: 'A customer who has paid and gets nothing asks for the money back.',
  },
  'PAY-02': {
    title: 'After a failed payment, a second one pays the order',
    must: 'Keep the order open when a payment fails, and accept the next payment.',
    why: 'Every tenth payment fails at first. An order that was closed then takes the money and sends nothing.',
  },
  'PAY-03': {
    title: 'A payment of another amount never pays',
    must: 'Leave the order unpaid on payment.amount_mismatch.',
    why: 'Goods go out for a transfer of one baht.',
  },
  'PAY-04': {
    title: 'Money that comes after the expiry is not lost',
    must: 'Mark the order as paid when payment.succeeded follows payment.expired, or the money stays unnoticed.',
    why: 'The bank has taken the money. Nobody at the shop knows, until the customer complains.',
  },
  'PAY-05': {
    title: 'Money that comes after the cancellation is not lost',
    must: 'Mark the order as paid when payment.succeeded follows payment.canceled.',
    why: 'The customer had already confirmed the transfer. Canceling at the shop does not call it back.',
  },
  'PAY-06': {
    title: 'A payment that is still open does not pay',
    must: 'Send nothing on payment.created, payment.requires_action and payment.processing.',
    why: 'Goods go out to everybody who opens the checkout and leaves.',
  },
  'PAY-07': {
    title: 'A payment that ended without money does not pay',
    must: 'Send nothing on payment.failed, payment.expired and payment.canceled.',
    why: 'An ended payment is no paid payment. Goods go out without money.',
  },
  'PAY-08': {
    title: 'Two payments of one order send the goods once',
    must: 'Send the goods of an order once, whichever of its payments succeeds first.',
    why: 'A customer who pays in two tabs gets two parcels, and asks one payment back.',
  },
  'DUP-01': {
    title: 'The same event later is the same event',
    must: 'Remember the ids of events, and do nothing for one that was processed.',
    why: 'Every provider delivers at least once. Each repetition sends the goods again.',
  },
  'DUP-02': {
    title: 'The same event five times at once counts once',
    must: 'Store the id of the event and its effect in one transaction, or under one lock.',
    why: 'Looking first and storing later lets two requests through, on the day with the most orders.',
  },
  'DUP-03': {
    title: 'An attempt after an error counts once',
    must: 'Recognize the event by its id, whatever webhook-attempt says.',
    why: 'An answer of 500 after the work was done is followed by the same event, and the work is done twice.',
  },
  'DUP-04': {
    title: 'An attempt after a lost connection counts once',
    must: 'Finish or forget the work as a whole, also when the sender has hung up.',
    why: 'A slow minute at the shop becomes a second parcel, or a payment that is half stored.',
  },
  'DUP-05': {
    title: 'An event that is redelivered after a day counts once',
    must: 'Keep the ids of events for longer than a day: deliveries are repeated for three.',
    why: 'Whoever repairs an endpoint and redelivers yesterday sends all goods of yesterday again.',
  },
  'ORD-01': {
    title: 'Events that come in reverse lead to the same order',
    must: 'Decide by what an event says, and not by when it came.',
    why: 'A retry of an early event comes after the late ones. The order falls back to unpaid.',
  },
  'ORD-02': {
    title: 'The success may come before the creation',
    must: 'Accept payment.succeeded of a payment whose payment.created never came before.',
    why: 'The first event is dropped for a payment that is not known yet, and no second one follows.',
  },
  'ORD-03': {
    title: 'An event may come before the answer of the API',
    must: 'Store the order before the payment is created, or keep what comes until then.',
    why: 'A fast payer is faster than the answer. The event finds no order, and the payment is lost.',
  },
  'ORD-04': {
    title: 'An old event after a new one changes nothing',
    must: 'Never go back from paid to processing or created.',
    why: 'A paid order becomes unpaid, is reminded and canceled.',
  },
  'ORD-05': {
    title: 'An expiry that comes after the success changes nothing',
    must: 'Keep an order paid when an older payment.expired is delivered after payment.succeeded.',
    why: 'The goods are taken back from a customer who has paid.',
  },
  'ORD-06': {
    title: 'Shuffled events with repetitions lead to the same order',
    must: 'Come to the same state from the same events, in any order and any number.',
    why: 'This is what a bad day looks like. Each order that ends differently is work for somebody.',
  },
  'SIG-01': {
    title: 'A signature of another secret is refused',
    must: `${REFUSED}, and change nothing, unless the secret of the endpoint has signed. An event that is signed right is accepted before, here and in the other questions, so a receiver that refuses everything passes none.`,
    why: 'Everybody who knows the address of the receiver orders for free.',
  },
  'SIG-02': {
    title: 'A body that was changed is refused',
    must: `Verify the signature over the bytes of the body. ${REFUSED}.`,
    why: 'Whoever sees one event of a payment turns it into the success of another one.',
  },
  'SIG-03': {
    title: 'A signature of yesterday is refused',
    must: `A timestamp of the signature that is more than five minutes old: r${REFUSED.slice(1)}.`,
    why: 'A recorded request can be repeated for ever.',
  },
  'SIG-04': {
    title: 'A signature of tomorrow is refused',
    must: `A timestamp of the signature that is more than five minutes ahead: r${REFUSED.slice(1)}.`,
    why: 'A request that is signed for later can be kept until it is useful.',
  },
  'SIG-05': {
    title: 'A request without signature is refused',
    must: `${REFUSED} where webhook-id, webhook-timestamp or webhook-signature is missing.`,
    why: 'A check that is left out without headers is no check.',
  },
  'SIG-06': {
    title: 'One of two signatures is enough',
    must: 'Accept a request if any of its signatures fits, whichever comes first.',
    why: 'While a secret is rotated, both sign. A shop that looks at the first one alone loses a day of events.',
  },
  'SIG-07': {
    title: 'An unknown version beside a known one is ignored',
    must: 'Skip signatures whose version is unknown, and verify the others.',
    why: 'The first new kind of signature stops the shop.',
  },
  'SIG-08': {
    title: 'The bytes are signed, and not what they mean',
    must: 'Verify the raw body, and parse it afterwards.',
    why: 'A body that was parsed and written again differs in a space, and the signature no longer fits.',
  },
  'SIG-09': {
    title: 'A signature of another event is refused',
    must: `Verify webhook-id together with the body. ${REFUSED}.`,
    why: 'A repeated body under a new id counts as a new event.',
  },
  'SIG-10': {
    title: 'An empty signature is refused',
    must: `${REFUSED} where the signature is empty.`,
    why: 'Nothing compared with nothing is equal: the request is accepted.',
  },
  'SIG-11': {
    title: 'A malformed signature is refused',
    must: `${REFUSED} where the signature is no signature at all: a word, a version alone, bytes that are no UTF-8. An answer of 500 or a lost connection is no refusal.`,
    why: 'Everybody who knows the address raises errors in the shop, fills its log, and may end its process.',
  },
  'FWD-01': {
    title: 'An event of an unknown type is accepted',
    must: 'Answer 2xx to a type that the shop does not know, and ignore it.',
    why: 'Refused events are repeated, and an endpoint that refuses for long is disabled.',
  },
  'FWD-02': {
    title: 'Unknown fields are ignored',
    must: 'Read the fields that are needed, and ignore all others.',
    why: 'New fields are no breaking change. A strict parser stops the shop on the day they come.',
  },
  'FWD-03': {
    title: 'An unknown value is accepted',
    must: 'Accept a payment method that the shop does not know.',
    why: 'A new payment method stops the orders of those who use it.',
  },
  'FWD-04': {
    title: 'A ping is accepted',
    must: 'Answer 2xx to webhook.ping.',
    why: 'The dashboard shows a failing endpoint, although orders work. Or the shop takes a ping for an order.',
  },
  'REF-01': {
    title: 'A part is given back',
    must: 'Add the amount of the refund, and keep the order paid.',
    why: 'A shop that takes every refund for a whole one cancels the order, or books too much.',
  },
  'REF-02': {
    title: 'Two parts are given back',
    must: 'Add the amounts of both refunds.',
    why: 'The second amount replaces the first one, and the books no longer agree with the bank.',
  },
  'REF-03': {
    title: 'The whole amount is given back',
    must: 'Book the whole amount as given back, and send nothing again.',
    why: 'An order that counts as open after its refund is sent or reminded again.',
  },
  'REF-04': {
    title: 'A refund that fails gives nothing back',
    must: 'Book a refund when it has succeeded, and not when it is requested.',
    why: 'The customer is told that the money is on its way, and it is not.',
  },
  'REF-05': {
    title: 'The same refund twice counts once',
    must: 'Remember the ids of refund events, too.',
    why: 'A repeated event gives back twice as much in the books.',
  },
  'REF-06': {
    title: 'Old events of a refund change nothing',
    must: 'Keep a refund succeeded when its older events come after it.',
    why: 'A refund that went out counts as open, and somebody pays it by hand once more.',
  },
  'REF-07': {
    title: 'A refund that comes before its payment is not lost',
    must: 'Answer 2xx to a refund whose payment is unknown only if it is kept. After any other answer, it is sent again.',
    why: 'An answer of 2xx says that the work is done, although it failed: the event never comes again, and the books lack it.',
  },
  'OUT-01': {
    title: 'Events of an outage come a day late',
    must: 'Process events that are a day old: their signature is new, they are not.',
    why: 'A shop that refuses old events loses every order of the outage.',
  },
  'OUT-02': {
    title: 'Recovered events come after newer ones',
    must: 'Process events that were missed, although newer ones have been processed.',
    why: 'After a disabled endpoint is enabled again, new events come first. The missed ones are thrown away.',
  },
  'OUT-03': {
    title: 'All events once more change nothing, and lack nothing',
    must: 'Take what events?after_sequence lists beside what came: add what is missing, repeat nothing.',
    why: 'This is how a shop recovers. If it is not safe, nobody dares to.',
  },
  'STR-01': {
    title: 'An event of an unknown payment does no harm',
    must: 'Answer without an error of the server, create no order, and go on.',
    why: 'A payment of another system stops the receiver, or becomes an order that nobody has made.',
  },
  'BIG-01': {
    title: 'Thirty million baht are an amount',
    must: 'Keep amounts in 64 bits: 3,000,000,000 minor units.',
    why: 'In 32 bits the largest order of the year becomes a negative one.',
  },
  'BIG-02': {
    title: 'Thai text and emoji are text',
    must: 'Read the body as UTF-8, and verify its bytes.',
    why: 'The first customer with a Thai name breaks the signature.',
  },
  'BIG-03': {
    title: 'Fifty metadata entries are accepted',
    must: 'Accept a payment with all metadata that the API allows.',
    why: 'A limit of the shop that is smaller than that of the API loses events.',
  },
  'BIG-04': {
    title: 'Two hundred events at once are all processed',
    must: 'Answer and process a burst, each order once.',
    why: 'On the day of the sale, a part of the orders is missing.',
  },
} as const satisfies Readonly<Record<`${ExamGroup}-${string}`, QuestionWords>>;
export type QuestionId = keyof typeof EXAM_QUESTIONS;

/** The address of the guide to a question, on the service. */
export function guideOf(id: QuestionId): string {
  return `/docs/exam#${id.toLowerCase()}`;
}
