import type { Context, DynamoDBStreamEvent, EventBridgeEvent } from 'aws-lambda';
import { addRunCounts, NO_COUNTS } from '../../shared/domain/run-counts.ts';
import { runWorld } from '../../shared/flows/run-world.ts';
import { configuredBaseUrl } from '../../shared/http/base-url.ts';
import { report } from '../../shared/http/metrics.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';

/** Reserved to release the lease before Lambda stops the function. */
const RESERVE_MS = 5_000;

type WorldDue = EventBridgeEvent<'world due', { readonly worldId: string }>;

/** Runs the due jobs of the world that the clock names, or of the worlds whose new jobs the table's stream brings. */
export const handler = serveWorker(
  'job-runner',
  async (event: WorldDue | DynamoDBStreamEvent, context: Context) => {
    const timeMs = context.getRemainingTimeInMillis() - RESERVE_MS;
    const baseUrl = configuredBaseUrl();
    let counts = NO_COUNTS;
    const run = (worldId: string) =>
      runWorld(worldId, baseUrl, timeMs, (step) => {
        counts = addRunCounts(counts, step);
      });
    // In parallel: a world with many jobs or a slow receiver must not use up the time of the others.
    const runs = await Promise.allSettled(worldsOf(event).map(run));
    report({
      JobsRun: counts.jobsRun,
      JobsParked: counts.jobsParked,
      DeliveriesExhausted: counts.deliveriesExhausted,
    });
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed !== undefined) {
      throw failed.reason;
    }
  },
);

function worldsOf(event: WorldDue | DynamoDBStreamEvent): string[] {
  if ('detail' in event) {
    return [event.detail.worldId];
  }
  const ids = event.Records.flatMap(({ dynamodb }) => dynamodb?.NewImage?.worldId?.S ?? []);
  return [...new Set(ids)];
}
