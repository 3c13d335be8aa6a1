import type { Model, Recorded } from './recording.ts';

/* Histories that no service may have: each has one false response. They prove that the checker can fail. */

// biome-ignore lint/suspicious/noExplicitAny: the response depends on the model.
type AnyResponse = any;
type AnyOperation = Omit<Recorded, 'response'> & { readonly response: AnyResponse };
/** Falsifies a history in one place; null if the history gives no chance to. */
type Lie = (history: readonly AnyOperation[]) => AnyOperation[] | null;

const isDone = ({ response }: AnyOperation) => response !== null && response.status < 400;
const isOf =
  (...commands: readonly string[]) =>
  ({ request }: AnyOperation) =>
    commands.includes(request.command);

/** A single payer may have been refused just before a use was free again. */
const REFUSED_MIN = 3;

/** Changes one response. */
function withResponse(
  history: readonly AnyOperation[],
  operation: AnyOperation | undefined,
  change: object,
): AnyOperation[] | null {
  return operation === undefined
    ? null
    : history.map((one) => (one === operation ? { ...one, response: { ...one.response, ...change } } : one));
}

/** Leaves an operation out, as if its request had never been sent. */
function forget(
  history: readonly AnyOperation[],
  operation: AnyOperation | undefined,
): AnyOperation[] | null {
  return operation === undefined ? null : history.filter((one) => one !== operation);
}

function isAfter(later: AnyOperation, earlier: AnyOperation): boolean {
  return earlier.respondedAtUs !== null && later.calledAtUs > earlier.respondedAtUs;
}

/** The response at the end of a history, when no other request is in progress. */
const lastOf = (history: readonly AnyOperation[], ...commands: readonly string[]) =>
  history.findLast((one) => isDone(one) && isOf(...commands)(one));

export const LIES: Readonly<Record<Model, Readonly<Record<string, Lie>>>> = {
  payment: {
    'a refund that was paid back is forgotten': (history) => {
      const paidBack = history.findLast(
        (one) => isOf('simulate refund')(one) && one.response?.outcome === 'succeeded',
      );
      const number = paidBack?.request.refund;
      return paidBack === undefined
        ? null
        : history.filter((one) => one.request.refund !== number && one.response?.refund !== number);
    },
    'a paid payment is shown as payable again': (history) => {
      const shown = lastOf(history, 'retrieve');
      return shown?.response.paymentStatus === 'succeeded'
        ? withResponse(history, shown, { paymentStatus: 'requires_action', refundedMinor: 0 })
        : null;
    },
    'a satang more is shown as refunded': (history) => {
      const shown = lastOf(history, 'retrieve');
      return withResponse(history, shown, { refundedMinor: shown?.response.refundedMinor + 1 });
    },
    'a refused cancel was done': (history) => {
      const refused = history.find((one) => isOf('cancel')(one) && one.response?.status === 409);
      return withResponse(history, refused, { status: 200, code: '', paymentStatus: 'canceled' });
    },
  },
  bank: {
    'a settlement takes a satang too few': (history) => {
      const settled = history.findLast((one) => isOf('settle')(one) && one.response?.outcome === 'matched');
      const minor = settled?.response.expectedMinor - 1;
      return withResponse(history, settled, { expectedMinor: minor, payoutMinor: minor });
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
      const isRefused = (one: AnyOperation) =>
        isOf('request payment')(one) &&
        one.response?.status === 409 &&
        (disabled === undefined || isAfter(disabled, one));
      return history.filter(isRefused).length < REFUSED_MIN
        ? null
        : history.map((one) =>
            isRefused(one) ? { ...one, response: { ...one.response, ...given(one) } } : one,
          );
    },
    'a use is not shown': (history) => {
      const shown = lastOf(history, 'retrieve');
      return shown?.response.uses > 0
        ? withResponse(history, shown, { uses: shown?.response.uses - 1 })
        : null;
    },
  },
  idempotency: {
    'a key takes effect twice': (history) => {
      const replayed = history.find(
        (one) =>
          one.response?.isReplay &&
          history.some((first) => isSameKey(first, one) && isAfter(one, first) && isDone(first)),
      );
      return withResponse(history, replayed, { isReplay: false });
    },
    'a replay has other bytes': (history) => {
      const replayed = history.find(({ response }) => response?.isReplay);
      return withResponse(history, replayed, { hash: 'another' });
    },
    'one key made two resources': (history) => {
      const counted = history.find((one) => isOf('count')(one) && one.response?.count === 1);
      return withResponse(history, counted, { count: 2 });
    },
  },
  clock: {
    'a move was lost': (history) => {
      const moved = lastOf(history, 'move');
      const shown = lastOf(history, 'read');
      // Where a purge came later, the move counts no longer.
      return moved && shown && isAfter(shown, moved) && shown.response.offsetSeconds > 0
        ? forget(history, moved)
        : null;
    },
    'a move counts twice': (history) => {
      const shown = lastOf(history, 'read');
      return withResponse(history, shown, { offsetSeconds: shown?.response.offsetSeconds + 7 });
    },
  },
  endpoint: {
    'an update was lost': (history) => {
      const shown = lastOf(history, 'retrieve');
      const updated = history.find(
        (one) => isOf('update')(one) && one.request.description === shown?.response.description,
      );
      return forget(history, updated);
    },
    'an old secret is shown': (history) =>
      withResponse(history, lastOf(history, 'retrieve'), { secret: 'old' }),
  },
};

/** A forged payment for a payer that got none. */
function given({ request: { attempt } }: AnyOperation) {
  return { status: 303, code: '', hash: `given-${attempt}`, expiresAtMs: Number.MAX_SAFE_INTEGER };
}

function isSameKey(one: AnyOperation, other: AnyOperation): boolean {
  return (
    isOf('send')(one) && one.request.key === other.request.key && one.request.body === other.request.body
  );
}

/** Applies each lie to one history that allows it, with the fewest unknown outcomes: unknown ones explain too much. */
export function falsify(operations: readonly Recorded[]) {
  const unsureIn = (history: readonly Recorded[]) =>
    history.filter(({ hasTimedOut, response }) => hasTimedOut || response === null).length;
  const histories = [...Map.groupBy(operations, ({ history }) => history).values()].toSorted(
    (one, other) => unsureIn(one) - unsureIn(other),
  );
  return Object.entries(LIES).flatMap(([model, lies]) =>
    Object.entries(lies).map(([name, lie]) => {
      const own = histories.filter(([first]) => first?.model === model);
      const falsified = own.map((history) => lie(history as AnyOperation[])).find((made) => made !== null);
      const history = `${model}: ${name}`;
      return { history, operations: falsified?.map((one) => ({ ...one, history })) ?? null };
    }),
  );
}
