import { clockOperations, viewClock } from '../shared/contract/testkit/clock.ts';
import { readJobPks } from '../shared/flows/dispatch/delivery-targets.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { nextJobAt } from '../shared/store/scheduler/due.ts';

/** Reads the merchant's clock and when the next job is due. */
export const handler = serveRead(clockOperations.getClock, async ({ world, nowMs }) => {
  const nextAtMs = await nextJobAt(await readJobPks(world));
  return viewClock(world, nowMs, nextAtMs);
});
