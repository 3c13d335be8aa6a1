import { clockOperations, viewAdvance } from '../shared/contract/testkit/clock.ts';
import { advanceClock } from '../shared/flows/testkit/move-clock.ts';
import { serve } from '../shared/http/serve.ts';

/** Moves the merchant's clock ahead and runs the jobs that become due, in due order. */
export const handler = serve(clockOperations.advanceClock, async (request) => {
  const { body, idempotencyKey, claim } = request;
  const { advance, counts, jobsRemaining, world } = await advanceClock({
    ...request,
    seconds: body.seconds,
    firstStep: claim.firstStep,
    remainingMs: request.remainingMs(),
  });
  const changes = [{ kind: 'advance-end', idempotencyKey } as const];
  return { world, changes, response: viewAdvance(advance, counts, jobsRemaining) };
});
