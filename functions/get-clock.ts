import { clockOperations, viewClock } from '../shared/contract/testkit/clock.ts';
import { readNextJobAt } from '../shared/flows/dispatch/delivery-targets.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { countParkedJobs } from '../shared/store/scheduler/parked.ts';

/** Reads the merchant's clock, when the next job is due, and how many failed for good. */
export const handler = serveRead(clockOperations.getClock, async ({ world, nowMs }) => {
  const [nextAtMs, parkedJobs] = await Promise.all([readNextJobAt(world), countParkedJobs(world)]);
  return viewClock(world, nowMs, nextAtMs, parkedJobs);
});
