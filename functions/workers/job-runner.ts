import type { Context, DynamoDBStreamEvent, EventBridgeEvent } from 'aws-lambda';
import type { WorldDue } from '../../shared/contract/bus.ts';
import { addRunCounts, NO_COUNTS, type RunCounts } from '../../shared/domain/run-counts.ts';
import { runWorld } from '../../shared/flows/run-world.ts';
import { configuredBaseUrl } from '../../shared/http/base-url.ts';
import { report } from '../../shared/http/metrics.ts';
import { serveWorker } from '../../shared/http/serve-worker.ts';
import { byWorld } from '../../shared/store/scheduler/due.ts';

/** Reserved to end cleanly before Lambda stops the function. */
const RESERVE_MS = 5_000;

type Woken = EventBridgeEvent<'world due', WorldDue> | DynamoDBStreamEvent;

/** Does the work that the clock names, or that the table's stream brings: due jobs, and events to tell. */
export const handler = serveWorker('job-runner', async (event: Woken, context: Context) => {
  const timeMs = context.getRemainingTimeInMillis() - RESERVE_MS;
  const baseUrl = configuredBaseUrl();
  let counts = NO_COUNTS;
  const onDone = (step: RunCounts) => {
    counts = addRunCounts(counts, step);
  };
  // In parallel: a world with many jobs or a slow receiver must not use up the time of the others.
  const runs = await Promise.allSettled(
    [...workOf(event)].map(([worldId, pks]) => runWorld(worldId, pks, { baseUrl, timeMs, onDone })),
  );
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

/** The partitions with work, by world; null: any. */
function workOf(event: Woken): ReadonlyMap<string, ReadonlySet<string> | null> {
  if ('detail' in event) {
    const { worldId, pks } = event.detail;
    return new Map([[worldId, pks === undefined ? null : new Set(pks)]]);
  }
  return byWorld(event.Records.flatMap(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? []));
}
