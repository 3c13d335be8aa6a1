import { setTimeout as sleep } from 'node:timers/promises';
import { isExpiryUnseen, type Payment } from '../../domain/payment.ts';
import type { World } from '../../domain/world.ts';
import { Problem } from '../../errors/problem.ts';
import { writeOne } from '../table/commit.ts';
import { findWorld, type Moment, updateWorld } from './world.ts';

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
export function readAfterMove<Read>(
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
export async function waitForMoveEnd(world: World): Promise<void> {
  const nothing = async () => undefined;
  await whileMoving(world, nothing, () => false);
}

/** Repeats a read while a move runs its jobs, until what is read may be shown or the move is over. */
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
 * Records that every job of the move that a world was read in has run.
 * @returns false where another move was made since
 */
export function endMove(world: World): Promise<boolean> {
  return writeOne(updateWorld(world, 'REMOVE movedToMs', 'movedToMs = :to', { ':to': world.movedToMs }));
}
