import { clockOperations } from '../shared/contract/clock.ts';
import { viewClock } from '../shared/contract/views.ts';
import { serve } from '../shared/http/serve.ts';
import { nextJobAt } from '../shared/store/due-jobs.ts';

/** Reads the merchant's clock, and when it will next have something to do. */
export const handler = serve(clockOperations.getClock, async ({ world, nowMs }) => {
  const nextAtMs = await nextJobAt(world);
  return { answer: viewClock(world, nowMs, nextAtMs) };
});
