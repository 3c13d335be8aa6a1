import { operations } from '../../../../shared/contract/operations.ts';
import {
  type Actor,
  ALWAYS_ANSWERED,
  choose,
  type History,
  type Persistence,
  thb,
  WRITE,
} from '../history.ts';

const THINKING_MS = 90;

/**
 * A merchant's clock. Where a move had its response before a purge, its Idempotency-Key is free for a new move after it
 * (contract §4): a client that did not receive the response must not try again after the purge, and none purges while
 * one tries again.
 */
export async function recordClock(history: History): Promise<void> {
  let purgesBegun = 0;
  let purgesEnded = 0;
  const triedAgain = new Set<object>();
  const read = (actor: Actor, persistence?: typeof ALWAYS_ANSWERED) =>
    history.operation(
      actor,
      { command: 'read' },
      { row: operations.getClock },
      ({ json }) => ({ offsetSeconds: json.offset_seconds, nowMs: Date.parse(json.now) }),
      persistence,
    );
  const move = async (actor: Actor, persistence: Persistence = WRITE) => {
    const seconds = actor.dice.between(1, 500);
    const endedBefore = purgesEnded;
    const mayTryAgain = () => {
      triedAgain.add(moved);
      return purgesBegun === endedBefore;
    };
    const moved = history.operation(
      actor,
      { command: 'move', seconds },
      { row: operations.advanceClock, sent: { body: { seconds } } },
      ({ json: { advanced_seconds, shifted } }) => ({
        advancedSeconds: advanced_seconds,
        fromMs: Date.parse(shifted.from),
        toMs: Date.parse(shifted.to),
      }),
      { ...persistence, mayTryAgain },
    );
    await moved.finally(() => triedAgain.delete(moved));
  };
  const purge = async (actor: Actor) => {
    if (triedAgain.size > 0) {
      await read(actor);
      return;
    }
    purgesBegun += 1;
    const { response } = await history.operation(
      actor,
      { command: 'purge' },
      { row: operations.purgeTestData, sent: { body: {} } },
      () => ({}),
    );
    // One that was given up may still take effect.
    purgesEnded += response === null ? 0 : 1;
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
    purge,
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
