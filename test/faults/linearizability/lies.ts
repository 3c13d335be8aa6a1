import type { Model, Recorded } from './recording.ts';

/* Histories that no service may have: each has one false response. They prove that the checker can fail. */

// biome-ignore lint/suspicious/noExplicitAny: the response depends on the model.
type Answer = any;
type Answered = Omit<Recorded, 'answer'> & { readonly answer: Answer };
/** Falsifies a history in one place; null if the history gives no chance to. */
type Lie = (history: readonly Answered[]) => Answered[] | null;

const isDone = ({ answer }: Answered) => answer !== null && answer.status < 400;
const isOf =
  (...commands: readonly string[]) =>
  ({ asked }: Answered) =>
    commands.includes(asked.command);

/** A single payer may have been refused just before a use was free again. */
const REFUSED_MIN = 3;

/** Changes one response. */
function answering(
  history: readonly Answered[],
  operation: Answered | undefined,
  change: object,
): Answered[] | null {
  return operation === undefined
    ? null
    : history.map((one) => (one === operation ? { ...one, answer: { ...one.answer, ...change } } : one));
}

/** Leaves an operation out, as if its request had never been sent. */
function forget(history: readonly Answered[], operation: Answered | undefined): Answered[] | null {
  return operation === undefined ? null : history.filter((one) => one !== operation);
}

function isAfter(later: Answered, earlier: Answered): boolean {
  return earlier.answeredAtUs !== null && later.calledAtUs > earlier.answeredAtUs;
}

/** The response at the end of a history, when no other request is in progress. */
const lastOf = (history: readonly Answered[], ...commands: readonly string[]) =>
  history.findLast((one) => isDone(one) && isOf(...commands)(one));

export const LIES: Readonly<Record<Model, Readonly<Record<string, Lie>>>> = {
  payment: {
    'a refund that was paid back is forgotten': (history) => {
      const paidBack = history.findLast(
        (one) => isOf('simulate refund')(one) && one.answer?.outcome === 'succeeded',
      );
      const number = paidBack?.asked.refund;
      return paidBack === undefined
        ? null
        : history.filter((one) => one.asked.refund !== number && one.answer?.refund !== number);
    },
    'a paid payment is shown as payable again': (history) => {
      const shown = lastOf(history, 'retrieve');
      return shown?.answer.paymentStatus === 'succeeded'
        ? answering(history, shown, { paymentStatus: 'requires_action', refundedMinor: 0 })
        : null;
    },
    'a satang more is shown as refunded': (history) => {
      const shown = lastOf(history, 'retrieve');
      return answering(history, shown, { refundedMinor: shown?.answer.refundedMinor + 1 });
    },
    'a refused cancel was done': (history) => {
      const refused = history.find((one) => isOf('cancel')(one) && one.answer?.status === 409);
      return answering(history, refused, { status: 200, code: '', paymentStatus: 'canceled' });
    },
  },
  bank: {
    'a settlement takes a satang too few': (history) => {
      const settled = history.findLast((one) => isOf('settle')(one) && one.answer?.outcome === 'matched');
      const minor = settled?.answer.expectedMinor - 1;
      return answering(history, settled, { expectedMinor: minor, payoutMinor: minor });
    },
    'a payment was not counted': (history) => {
      const paid = history.find((one) => isOf('pay')(one) && isDone(one));
      return forget(history, paid);
    },
    'a refund was not counted': (history) => {
      const refunded = history.find((one) => isOf('refund')(one) && isDone(one));
      return forget(history, refunded);
    },
  },
  'payment link': {
    'more uses are given than there are': (history) => {
      const disabled = history.find(isOf('disable'));
      const isRefused = (one: Answered) =>
        isOf('ask for payment')(one) &&
        one.answer?.status === 409 &&
        (disabled === undefined || isAfter(disabled, one));
      return history.filter(isRefused).length < REFUSED_MIN
        ? null
        : history.map((one) => (isRefused(one) ? { ...one, answer: { ...one.answer, ...given(one) } } : one));
    },
    'a use is not shown': (history) => {
      const shown = lastOf(history, 'retrieve');
      return shown?.answer.uses > 0 ? answering(history, shown, { uses: shown?.answer.uses - 1 }) : null;
    },
  },
  idempotency: {
    'a key takes effect twice': (history) => {
      const replayed = history.find(
        (one) =>
          one.answer?.isReplay &&
          history.some((first) => isSameKey(first, one) && isAfter(one, first) && isDone(first)),
      );
      return answering(history, replayed, { isReplay: false });
    },
    'a replay has other bytes': (history) => {
      const replayed = history.find(({ answer }) => answer?.isReplay);
      return answering(history, replayed, { hash: 'another' });
    },
    'one key made two resources': (history) => {
      const counted = history.find((one) => isOf('count')(one) && one.answer?.count === 1);
      return answering(history, counted, { count: 2 });
    },
  },
  clock: {
    'a move was lost': (history) => {
      const moved = lastOf(history, 'move');
      const shown = lastOf(history, 'read');
      // Where a purge came later, the move counts no longer.
      return moved && shown && isAfter(shown, moved) && shown.answer.offsetSeconds > 0
        ? forget(history, moved)
        : null;
    },
    'a move counts twice': (history) => {
      const shown = lastOf(history, 'read');
      return answering(history, shown, { offsetSeconds: shown?.answer.offsetSeconds + 7 });
    },
  },
  endpoint: {
    'an update was lost': (history) => {
      const shown = lastOf(history, 'retrieve');
      const updated = history.find(
        (one) => isOf('update')(one) && one.asked.description === shown?.answer.description,
      );
      return forget(history, updated);
    },
    'an old secret is shown': (history) => answering(history, lastOf(history, 'retrieve'), { secret: 'old' }),
  },
};

/** A forged payment for a payer that got none. */
function given({ asked: { attempt } }: Answered) {
  return { status: 303, code: '', hash: `given-${attempt}`, expiresAtMs: Number.MAX_SAFE_INTEGER };
}

function isSameKey(one: Answered, other: Answered): boolean {
  return isOf('send')(one) && one.asked.key === other.asked.key && one.asked.body === other.asked.body;
}

/** Applies each lie to one history that allows it, with the fewest unknown outcomes: unknown ones explain too much. */
export function falsify(operations: readonly Recorded[]) {
  const unsureIn = (history: readonly Recorded[]) =>
    history.filter(({ hasTimedOut, answer }) => hasTimedOut || answer === null).length;
  const histories = [...Map.groupBy(operations, ({ history }) => history).values()].toSorted(
    (one, other) => unsureIn(one) - unsureIn(other),
  );
  return Object.entries(LIES).flatMap(([model, lies]) =>
    Object.entries(lies).map(([name, lie]) => {
      const own = histories.filter(([first]) => first?.model === model);
      const falsified = own.map((history) => lie(history as Answered[])).find((made) => made !== null);
      const history = `${model}: ${name}`;
      return { history, operations: falsified?.map((one) => ({ ...one, history })) ?? null };
    }),
  );
}
