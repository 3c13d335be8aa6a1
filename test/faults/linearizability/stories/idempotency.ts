import type { Operation } from '../../../../shared/contract/operation.ts';
import { operations } from '../../../../shared/contract/operations.ts';
import type { Dice } from '../../chaos/dice.ts';
import { type Actor, ALWAYS_ANSWERED, type History, hashOf, thb } from '../history.ts';
import type { Recorded } from '../recording.ts';

const THINKING_MS = 90;
const PAGE = { limit: '100' };

/** A request that is sent again and again under one Idempotency-Key, now and then with another body. */
interface Repeated {
  /** As the model counts it. */
  readonly number: number;
  readonly idempotencyKey: string;
  readonly name: string;
  readonly kind: keyof typeof KINDS;
}

interface Kind {
  readonly row: Operation;
  readonly bodyOf: (name: string, variant: number) => object;
  /** How many resources of that name there are; null if a kind creates none. */
  readonly count: ((history: History, actor: Actor, key: Repeated) => Promise<unknown>) | null;
}

const KINDS = {
  payment: {
    row: operations.createPayment,
    bodyOf: (name, variant) => ({ amount: thb(1_000 + variant), method: 'promptpay', reference: name }),
    count: (history, actor, { number, name }) =>
      history.operation(
        actor,
        { command: 'count', key: number },
        { row: operations.listPayments, sent: { query: { reference: name } } },
        ({ json }) => ({ count: json.data.length }),
        ALWAYS_ANSWERED,
      ),
  },
  link: {
    row: operations.createPaymentLink,
    bodyOf: (name, variant) => ({
      amount: { type: 'fixed', fixed: thb(1_000 + variant) },
      description: name,
    }),
    count: (history, actor, { number, name }) =>
      history.operation(
        actor,
        { command: 'count', key: number },
        { row: operations.listPaymentLinks, sent: { query: PAGE } },
        ({ json }) => ({ count: json.data.filter(({ description }) => description === name).length }),
        ALWAYS_ANSWERED,
      ),
  },
  sink: {
    row: operations.createWebhookSink,
    bodyOf: (name, variant) => ({ name: `${hashOf(name)}-${variant}` }),
    count: (history, actor, { number, name }) =>
      history.operation(
        actor,
        { command: 'count', key: number },
        { row: operations.listWebhookSinks },
        ({ json }) => ({
          count: json.data.filter((sink) => String(sink.name).startsWith(hashOf(name))).length,
        }),
        ALWAYS_ANSWERED,
      ),
  },
  move: {
    row: operations.advanceClock,
    bodyOf: (_name, variant) => ({ seconds: 1 + variant }),
    count: null,
  },
} satisfies Record<string, Kind> as Record<'payment' | 'link' | 'sink' | 'move', Kind>;

/** Idempotency-Keys, each used by several clients at once. */
export async function recordIdempotency(history: History): Promise<void> {
  const { dice } = history;
  const keys = Array.from({ length: dice.between(2, 4) }, (_, index) => newRepeated(history, index + 1));
  await history.run(dice.between(4, 6), dice.between(30, 60), THINKING_MS, (actor) => {
    const { number, idempotencyKey, name, kind } = actor.dice.pick(keys as [Repeated]);
    const variant = actor.dice.isHit(0.15) ? 1 : 0;
    const { row, bodyOf } = KINDS[kind];
    return history.operation(
      actor,
      { command: 'send', key: number, body: variant, kind },
      { row, sent: { body: bodyOf(name, variant), idempotencyKey: spelled(idempotencyKey, actor.dice) } },
      ({ text }) => ({ hash: hashOf(text) }),
    );
  });
  const last = history.newActor();
  for (const key of keys) {
    await KINDS[key.kind].count?.(history, last, key);
  }
  history.operations.splice(0, Number.POSITIVE_INFINITY, ...history.operations.map(withContest));
}

function newRepeated(history: History, number: number): Repeated {
  return {
    number,
    idempotencyKey: history.newName(),
    name: history.newName(),
    kind: history.dice.pick(['payment', 'payment', 'link', 'sink', 'move']),
  };
}

/** The quoted form and the bare form are the same key (contract §3). */
function spelled(idempotencyKey: string, dice: Dice): string {
  return dice.isHit(0.5) ? `"${idempotencyKey}"` : idempotencyKey;
}

/** Marks whether a key was sent with another body too, before the request got its response. */
function withContest(operation: Recorded, _place: number, all: readonly Recorded[]): Recorded {
  const { request, respondedAtUs } = operation;
  const isContested = all.some(
    (other) =>
      other.request.command === 'send' &&
      other.request.key === request.key &&
      other.request.body !== request.body &&
      (respondedAtUs === null || other.calledAtUs < respondedAtUs),
  );
  return { ...operation, request: { ...request, isContested } };
}
