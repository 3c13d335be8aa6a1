import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../errors/problem.ts';

const ROUNDS_MAX = 8;
const PAUSE_MS = 20;

/**
 * Sends a batch, and then again, with growing pauses, what the store has left unprocessed: DynamoDB does so when it is
 * overloaded.
 * @param send returns what was left unprocessed
 * @throws Problem `temporarily_unavailable` where the store keeps leaving something
 */
export async function untilProcessed<Request>(
  requests: readonly Request[],
  send: (requests: Request[]) => Promise<Request[] | undefined>,
): Promise<void> {
  let rest = [...requests];
  for (let round = 1; rest.length > 0; round += 1) {
    if (round > ROUNDS_MAX) {
      throw new Problem('temporarily_unavailable');
    }
    rest = (await send(rest)) ?? [];
    if (rest.length > 0) {
      await sleep(PAUSE_MS * round);
    }
  }
}
