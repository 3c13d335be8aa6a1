import type { DynamoDBStreamEvent, EventBridgeEvent } from 'aws-lambda';
import type { Due } from '../../shared/contract/bus.ts';
import { runWorld } from '../../shared/flows/jobs/run-world.ts';
import { serveRunner } from '../../shared/http/serve-runner.ts';
import { byWorld } from '../../shared/store/scheduler/due.ts';

type Woken = EventBridgeEvent<'world due', Due> | DynamoDBStreamEvent;

/** Does the work that the clock names, or that the table's stream brings: due jobs, and events to tell. */
export const handler = serveRunner('job-runner', (event: Woken, limits) =>
  [...workOf(event)].map(([worldId, pks]) => runWorld(worldId, pks, limits)),
);

/** The partitions with work, by world; null: any. */
function workOf(event: Woken): ReadonlyMap<string, ReadonlySet<string> | null> {
  if ('detail' in event) {
    const { worldId, pks } = event.detail;
    return new Map([[worldId, pks === undefined ? null : new Set(pks)]]);
  }
  return byWorld(event.Records.flatMap(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? []));
}
