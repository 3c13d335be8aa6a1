import { clockOperations, viewAdvance } from '../shared/contract/testkit/clock.ts';
import { advanceClock } from '../shared/flows/testkit/advance.ts';
import { serve } from '../shared/http/serve.ts';

/** Moves the merchant's clock ahead and runs the jobs that become due, in due order. */
export const handler = serve(clockOperations.advanceClock, async (request) => {
  const { body, baseUrl } = request;
  const limits = { baseUrl, remainingMs: request.remainingMs() };
  const done = await advanceClock(request.world.id, request.idempotencyKey, body.seconds, limits);
  const { advance, counts, jobsRemaining, world } = done;
  return { world, changes: [], answer: viewAdvance(advance, counts, jobsRemaining) };
});
