import { clockOperations } from '../shared/contract/clock.ts';
import { viewAdvance } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { advanceClock } from '../shared/jobs/advance-clock.ts';

/** Moves the merchant's clock ahead and runs what becomes due, in due order. */
export const handler = serve(clockOperations.advanceClock, async (request) => {
  const { body, idempotencyKey, remainingMs } = request;
  const done = await advanceClock(request.world.id, String(idempotencyKey), body.seconds, remainingMs());
  const { advance, tally, jobsRemaining, world } = done;
  return { world, changes: [], answer: viewAdvance(advance, tally, jobsRemaining) };
});
