import { setTimeout as sleep } from 'node:timers/promises';
import { isExpiryUnseen, type Payment, paymentAsOf } from '../../domain/payment.ts';
import type { World } from '../../domain/world.ts';
import { Problem } from '../../errors/problem.ts';
import { writeOne } from '../table/commit.ts';
import { get } from '../table/entity.ts';
import { type ListPage, list, type PageRequest, type Query } from '../table/list.ts';
import { findWorld, type Moment, updateWorld } from '../worlds/world.ts';

/*
 * While a move of the clock runs its jobs, a payment can be past its expiry and not expired yet: a request that read
 * the clock before the move may still commit, and so may an earlier job. If it were shown as expired meanwhile, it
 * could later have another status. So it is shown when the move has reached it. Outside of a move nothing waits.
 */

/** The longest that a request waits for a move, in real time. */
const WAIT_MAX_MS = 4_000;
const POLL_MS = 20;

/**
 * Reads payments when no move of the clock is about to expire one of them.
 * @throws Problem `temporarily_unavailable` where that takes too long
 */
export function readSettled<Read>(
  { world, nowMs }: Moment,
  read: () => Promise<Read>,
  paymentsIn: (read: Read) => readonly Payment[],
): Promise<Read> {
  return whileMoving(
    world,
    read,
    (found) => !paymentsIn(found).some((payment) => isExpiryUnseen(payment, nowMs)),
  );
}

/**
 * Waits until no move of the clock runs its jobs.
 * @throws Problem `temporarily_unavailable` where that takes too long
 */
export async function moveEnded(world: World): Promise<void> {
  const nothing = async () => undefined;
  await whileMoving(world, nothing, () => false);
}

/** Reads again and again while a move runs its jobs, until what is read may be shown or the move is over. */
async function whileMoving<Read>(
  world: World,
  read: () => Promise<Read>,
  mayShow: (read: Read) => boolean,
): Promise<Read> {
  const deadlineMs = Date.now() + WAIT_MAX_MS;
  let isMoving = world.movedToMs !== null;
  for (;;) {
    const found = await read();
    if (!isMoving || mayShow(found)) {
      return found;
    }
    if (Date.now() >= deadlineMs) {
      throw new Problem('temporarily_unavailable');
    }
    await sleep(POLL_MS);
    const current = await findWorld(world.id);
    isMoving = current?.epoch === world.epoch && current.movedToMs !== null;
  }
}

/**
 * The payment as it is stored, read when no move of the clock is about to expire it.
 * @throws Problem `payment_not_found`, `temporarily_unavailable`
 */
export function getPayment(moment: Moment, id: string): Promise<Payment> {
  return readSettled(
    moment,
    () => get('payment', moment.world, id),
    (payment) => [payment],
  );
}

/**
 * One page of payments as of now (`paymentAsOf`), read when no move of the clock is about to expire one of them.
 * @throws Problem `temporarily_unavailable`; as `list` does
 */
export function listPayments<ListQuery extends PageRequest>(
  moment: Moment,
  query: Query<'payment', ListQuery>,
): Promise<ListPage<Payment>> {
  const { world, nowMs } = moment;
  let stored: Payment[] = [];
  const asOf = (payment: Payment) => {
    stored.push(payment);
    return paymentAsOf(payment, nowMs);
  };
  const read = () => {
    stored = [];
    return list('payment', world, query, asOf);
  };
  return readSettled(moment, read, () => stored);
}

/**
 * Records that every job of the move that a world was read in has run.
 * @returns false where another move was made since
 */
export function endMove(world: World): Promise<boolean> {
  return writeOne(updateWorld(world, 'REMOVE movedToMs', 'movedToMs = :to', { ':to': world.movedToMs }));
}
