import type { DynamoDBStreamEvent, EventBridgeEvent } from 'aws-lambda';
import type { Due } from '../../shared/contract/bus.ts';
import { wakeWorld } from '../../shared/flows/jobs/wake-world.ts';
import { serveRunner } from '../../shared/http/serve-runner.ts';
import { byWorld } from '../../shared/store/scheduler/due.ts';

type RunnerEvent = EventBridgeEvent<'world due', Due> | DynamoDBStreamEvent;

/** Does the work that the clock or the table's stream names: due jobs, and outbox entries to dispatch. */
export const handler = serveRunner('job-runner', (event: RunnerEvent, limits) =>
  [...workOf(event)].map(([worldId, pks]) => wakeWorld(worldId, pks, limits)),
);

/** The partitions with work, by world; null: any. */
function workOf(event: RunnerEvent): ReadonlyMap<string, ReadonlySet<string> | null> {
  if ('detail' in event) {
    const { worldId, pks } = event.detail;
    return new Map([[worldId, pks === undefined ? null : new Set(pks)]]);
  }
  return byWorld(event.Records.flatMap(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? []));
}
