import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import { roll } from '../scenario/dice.ts';
import {
  burst,
  cancel,
  type ExamStep,
  expire,
  forge,
  ghost,
  nextPayment,
  order,
  pay,
  ping,
  probe,
  refund,
  secondPayment,
  send,
  sendIfAny,
  sendUnlessAccepted,
  signed,
  simulate,
  stranger,
} from './acts.ts';
import { MALFORMED, type MannerName } from './manners.ts';

/**
 * What a question needs of the shop, beside its receiver: orders with their probe, refunds in what the probe says, or
 * payments that the shop creates.
 */
export type ShopAbility = 'probe' | 'refunds' | 'payments of the shop';

/** The creator of the payments of the shop's orders. */
export type PaymentCreator = 'exam' | 'shop';

/** What a question does, as the steps of a scenario. */
export interface QuestionStory {
  readonly needs: readonly ShopAbility[];
  /** @param seed of everything random */
  readonly steps: (seed: number, creator: PaymentCreator) => readonly ExamStep[];
}

function story(steps: readonly ExamStep[], ...needs: readonly ShopAbility[]): QuestionStory {
  return { needs: needs.length === 0 ? ['probe'] : ['probe', ...needs], steps: () => steps };
}

/** A story with two payments of one order. A shop that creates them itself does so when the order is opened a second time. */
function twoPayments(steps: Readonly<Record<PaymentCreator, readonly ExamStep[]>>): QuestionStory {
  return { needs: ['probe'], steps: (_, creator) => steps[creator] };
}

/** A story that HTTP alone can judge. */
function overHttp(steps: readonly ExamStep[]): QuestionStory {
  return { needs: [], steps: () => steps };
}

/**
 * The forged success of a payment that is not paid is refused, and pays nothing: a shop that asks the API as well finds
 * out the same. The real one counts, although it was refused before when something was wrong with its request.
 */
function forged(manner: MannerName): QuestionStory {
  return overHttp([
    order('a'),
    signed('$a'),
    forge('$a', manner),
    probe('$a'),
    pay('$a'),
    succeeded('$a', manner),
    succeeded('$a'),
    probe('$a'),
  ]);
}

const created = (of: string, manner?: MannerName) => send('payment.created', of, manner);
const succeeded = (of: string, manner?: MannerName) => send('payment.succeeded', of, manner);
const refunded = (of: string, manner?: MannerName) => send('refund.succeeded', of, manner);

/** An order that is paid, and the shop knows it. @param minor of its amount, if that is not any */
function paid(minor?: number): readonly ExamStep[] {
  return [order('a', minor), pay('$a'), succeeded('$a')];
}

/** A success that is sent in an unusual way counts. */
function unusual(manner: MannerName): QuestionStory {
  return story([order('a'), pay('$a'), succeeded('$a', manner), probe('$a')]);
}

/** A payment fails, and the next one succeeds. */
function afterFailure(next: ExamStep): readonly ExamStep[] {
  return [
    order('a'),
    simulate('$a', 'failed'),
    send('payment.failed', '$a'),
    probe('$a'),
    next,
    pay('$b'),
    succeeded('$b'),
    probe('$a'),
  ];
}

const ONE_DAY = { advance: '24h' } as const;
const WHOLE = 100_000;
const [FIRST_PART, SECOND_PART] = [30_000, 20_000];
const LARGE = 3_000_000_000;

const partlyRefunded: readonly ExamStep[] = [
  ...paid(WHOLE),
  ...refund('r', '$a', FIRST_PART),
  refunded('$r'),
];

/** The events of a payment, each twice, in an order that the dice decide. The last one is always an old one. */
function shuffled(seed: number): readonly ExamStep[] {
  const types = ['payment.created', 'payment.processing', 'payment.succeeded'] as const;
  const sorted = ['first', 'second']
    .flatMap((time) => types.map((type) => ({ type, dice: roll(seed, 'shuffle', time, type) })))
    .toSorted((one, other) => one.dice - other.dice)
    .map(({ type }) => type);
  const last = sorted.findLastIndex((type) => type !== 'payment.succeeded');
  const old = sorted.splice(last, 1);
  return [...sorted, ...old].map((type) => send(type, '$a'));
}

export const STORIES: Readonly<Record<QuestionId, QuestionStory>> = {
  'PAY-01': story([order('a'), pay('$a'), created('$a'), succeeded('$a'), probe('$a')]),
  'PAY-02': twoPayments({
    exam: afterFailure(secondPayment('b', 'a')),
    shop: afterFailure(nextPayment('b', '$a')),
  }),
  'PAY-03': story([
    order('a'),
    simulate('$a', 'mismatch'),
    send('payment.amount_mismatch', '$a'),
    probe('$a'),
  ]),
  'PAY-04': story([
    order('a'),
    expire('$a'),
    send('payment.expired', '$a'),
    pay('$a'),
    succeeded('$a'),
    probe('$a'),
  ]),
  'PAY-05': story([
    order('a'),
    cancel('$a'),
    send('payment.canceled', '$a'),
    pay('$a'),
    succeeded('$a'),
    probe('$a'),
  ]),
  'PAY-06': story([
    order('a'),
    simulate('$a', 'pending'),
    created('$a'),
    sendIfAny('payment.requires_action', '$a'),
    send('payment.processing', '$a'),
    probe('$a'),
  ]),
  'PAY-07': story([
    order('a'),
    simulate('$a', 'failed'),
    send('payment.failed', '$a'),
    probe('$a'),
    order('b'),
    expire('$b'),
    send('payment.expired', '$b'),
    probe('$b'),
    order('c'),
    cancel('$c'),
    send('payment.canceled', '$c'),
    probe('$c'),
  ]),
  'PAY-08': twoPayments({
    exam: [
      order('a'),
      secondPayment('b', 'a'),
      pay('$a'),
      succeeded('$a'),
      pay('$b'),
      succeeded('$b'),
      probe('$a'),
    ],
    // A shop may have one open payment for each order, so the first one has ended before the money comes.
    shop: [
      order('a'),
      expire('$a'),
      send('payment.expired', '$a'),
      nextPayment('b', '$a'),
      pay('$b'),
      succeeded('$b'),
      pay('$a'),
      succeeded('$a'),
      probe('$a'),
    ],
  }),

  'DUP-01': story([...paid(), probe('$a'), succeeded('$a'), probe('$a')]),
  'DUP-02': unusual('fiveAtOnce'),
  'DUP-03': story([...paid(), succeeded('$a', 'retried'), probe('$a')]),
  'DUP-04': story([
    order('a'),
    pay('$a'),
    succeeded('$a', 'hungUp'),
    succeeded('$a', 'retried'),
    probe('$a'),
  ]),
  'DUP-05': story([...paid(), probe('$a'), ONE_DAY, succeeded('$a', 'nextDay'), probe('$a')]),

  'ORD-01': story([
    order('a'),
    simulate('$a', 'pending'),
    pay('$a'),
    succeeded('$a'),
    send('payment.processing', '$a'),
    sendIfAny('payment.requires_action', '$a'),
    created('$a'),
    probe('$a'),
  ]),
  'ORD-02': story([...paid(), probe('$a'), created('$a'), probe('$a')]),
  'ORD-03': story(
    [
      { act: { order: 'a', early: true }, as: 'a' },
      // Where the first one was refused, as a delivery is repeated.
      succeeded('$a', 'retried'),
      probe('$a'),
    ],
    'payments of the shop',
  ),
  'ORD-04': story([
    order('a'),
    simulate('$a', 'pending'),
    pay('$a'),
    created('$a'),
    succeeded('$a'),
    probe('$a'),
    send('payment.processing', '$a'),
    probe('$a'),
  ]),
  'ORD-05': story([
    order('a'),
    expire('$a'),
    pay('$a'),
    succeeded('$a'),
    probe('$a'),
    send('payment.expired', '$a'),
    probe('$a'),
  ]),
  'ORD-06': {
    needs: ['probe'],
    steps: (seed) => [order('a'), simulate('$a', 'pending'), pay('$a'), ...shuffled(seed), probe('$a')],
  },

  'SIG-01': forged('otherSecret'),
  'SIG-02': forged('changedBody'),
  'SIG-03': forged('stale'),
  'SIG-04': forged('future'),
  'SIG-05': forged('unsigned'),
  'SIG-06': overHttp([ping('twoSignatures'), ping('twoSignaturesReversed')]),
  'SIG-07': overHttp([ping('unknownVersion')]),
  'SIG-08': overHttp([ping('otherBytes')]),
  'SIG-09': forged('otherId'),
  'SIG-10': forged('emptySignature'),
  'SIG-11': overHttp([
    order('a'),
    signed('$a'),
    ...MALFORMED.map((manner) => forge('$a', manner)),
    probe('$a'),
    pay('$a'),
    succeeded('$a'),
    probe('$a'),
  ]),

  'FWD-01': overHttp([order('a'), created('$a', 'unknownType'), probe('$a')]),
  'FWD-02': unusual('unknownFields'),
  'FWD-03': unusual('unknownMethod'),
  'FWD-04': overHttp([ping()]),

  'REF-01': story([...partlyRefunded, probe('$a')], 'refunds'),
  'REF-02': story(
    [...partlyRefunded, ...refund('s', '$a', SECOND_PART), refunded('$s'), probe('$a')],
    'refunds',
  ),
  'REF-03': story([...paid(), probe('$a'), ...refund('r', '$a'), refunded('$r'), probe('$a')], 'refunds'),
  'REF-04': story(
    [
      ...paid(WHOLE),
      ...refund('r', '$a', FIRST_PART, 'failed'),
      send('refund.requested', '$r'),
      send('refund.failed', '$r'),
      probe('$a'),
    ],
    'refunds',
  ),
  'REF-05': story([...partlyRefunded, refunded('$r', 'retried'), probe('$a')], 'refunds'),
  'REF-06': story([...partlyRefunded, probe('$a'), send('refund.requested', '$r'), probe('$a')], 'refunds'),
  'REF-07': story(
    [
      order('a', WHOLE),
      pay('$a'),
      ...refund('r', '$a', FIRST_PART),
      refunded('$r', 'beforeItsPayment'),
      succeeded('$a'),
      sendUnlessAccepted('refund.succeeded', '$r'),
      probe('$a'),
    ],
    'refunds',
  ),

  'OUT-01': story([
    order('a'),
    pay('$a'),
    ONE_DAY,
    created('$a', 'dayOld'),
    succeeded('$a', 'dayOld'),
    probe('$a'),
  ]),
  'OUT-02': story([
    order('a'),
    pay('$a'),
    ONE_DAY,
    order('b'),
    pay('$b'),
    succeeded('$b'),
    created('$a'),
    succeeded('$a'),
    probe('$a'),
    probe('$b'),
  ]),
  'OUT-03': story([
    order('a'),
    order('b'),
    pay('$a'),
    pay('$b'),
    succeeded('$b'),
    probe('$b'),
    created('$a'),
    created('$b'),
    succeeded('$a'),
    succeeded('$b'),
    probe('$a'),
    probe('$b'),
  ]),

  'STR-01': overHttp([stranger('x'), pay('$x'), succeeded('$x'), ghost('$x'), ...paid(), probe('$a')]),

  'BIG-01': story([...paid(LARGE), ...refund('r', '$a'), refunded('$r'), probe('$a')]),
  'BIG-02': unusual('thai'),
  'BIG-03': unusual('fullMetadata'),
  'BIG-04': story([burst(50)]),
};
