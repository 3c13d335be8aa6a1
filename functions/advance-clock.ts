import { clockOperations, viewMove } from '../shared/contract/testkit/clock.ts';
import { moveClock } from '../shared/flows/testkit/move-clock.ts';
import { serve } from '../shared/http/serve.ts';

/** Moves the merchant's clock ahead and runs the jobs that become due, in due order. */
export const handler = serve(clockOperations.advanceClock, async (request) => {
  const { body, idempotencyKey, claim } = request;
  const { move, counts, jobsRemaining, world } = await moveClock({
    ...request,
    seconds: body.seconds,
    firstStep: claim.firstStep,
    remainingMs: request.remainingMs(),
  });
  const changes = [{ kind: 'move-end', idempotencyKey } as const];
  return { world, changes, response: viewMove(move, counts, jobsRemaining) };
});
