import type { Context } from 'aws-lambda';
import { addRunCounts, NO_COUNTS, type RunCounts, type RunnerLimits } from '../domain/run-counts.ts';
import { report } from '../telemetry/report.ts';
import { configuredBaseUrl } from './base-url.ts';
import { serveWorker } from './serve-worker.ts';

/** Reserved to end cleanly before Lambda stops the function. */
const RESERVE_MS = 5_000;

/**
 * Makes a worker that runs everything that an event names concurrently, so that a world with many jobs or a slow
 * endpoint does not use up the time of the others. Their counts are reported even if one fails.
 */
export function serveRunner<Event>(
  name: string,
  runsOf: (event: Event, limits: RunnerLimits) => readonly Promise<void>[],
): (event: Event, context: Context) => Promise<void> {
  return serveWorker(name, async (event: Event, context: Context) => {
    let counts = NO_COUNTS;
    const onDone = (step: RunCounts) => {
      counts = addRunCounts(counts, step);
    };
    const timeMs = context.getRemainingTimeInMillis() - RESERVE_MS;
    const runs = await Promise.allSettled(runsOf(event, { baseUrl: configuredBaseUrl(), timeMs, onDone }));
    report({
      JobsRun: counts.jobsRun,
      JobsParked: counts.jobsParked,
      DeliveriesExhausted: counts.deliveriesExhausted,
    });
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  });
}
