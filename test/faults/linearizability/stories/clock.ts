import { operations } from '../../../../shared/contract/operations.ts';
import { type Actor, ALWAYS_ANSWERED, choose, type History, thb } from '../history.ts';

const THINKING_MS = 90;

/** A merchant's clock. */
export async function recordClock(history: History): Promise<void> {
  const read = (actor: Actor, persistence?: typeof ALWAYS_ANSWERED) =>
    history.operation(
      actor,
      { command: 'read' },
      { row: operations.getClock },
      ({ json }) => ({ offsetSeconds: json.offset_seconds, nowMs: Date.parse(json.now) }),
      persistence,
    );
  const move = (actor: Actor, persistence?: typeof ALWAYS_ANSWERED) => {
    const seconds = actor.dice.between(1, 500);
    return history.operation(
      actor,
      { command: 'move', seconds },
      { row: operations.advanceClock, sent: { body: { seconds } } },
      ({ json: { advanced_seconds, shifted } }) => ({
        advancedSeconds: advanced_seconds,
        fromMs: Date.parse(shifted.from),
        toMs: Date.parse(shifted.to),
      }),
      persistence,
    );
  };
  const does = {
    read,
    move,
    createPayment: (actor: Actor) =>
      history.operation(
        actor,
        { command: 'create payment' },
        {
          row: operations.createPayment,
          sent: { body: { amount: thb(100), method: 'promptpay', expires_in_minutes: 1 } },
        },
        ({ json }) => ({ nowMs: Date.parse(json.created_at) }),
      ),
    purge: (actor: Actor) =>
      history.operation(
        actor,
        { command: 'purge' },
        { row: operations.purgeTestData, sent: { body: {} } },
        () => ({}),
      ),
  };
  const { dice } = history;
  const weights = { read: 40, move: 22, createPayment: 12, purge: dice.isHit(0.4) ? 1.5 : 0 };
  await history.run(dice.between(3, 5), dice.between(30, 50), THINKING_MS, (actor) =>
    does[choose(actor.dice, weights)](actor),
  );
  const last = history.newActor();
  await move(last, ALWAYS_ANSWERED);
  await read(last, ALWAYS_ANSWERED);
}
