import type { EventBridgeEvent } from 'aws-lambda';
import type { Due } from '../../shared/contract/bus.ts';
import { wakeLiveWorld } from '../../shared/flows/jobs/wake-live-world.ts';
import { serveRunner } from '../../shared/http/serve-runner.ts';

type LiveJobsDueEvent = EventBridgeEvent<'live jobs due', Due>;

/** Runs the due jobs of a live world, which may call its provider. The job runner names them on the bus. */
export const handler = serveRunner('live-job-runner', ({ detail }: LiveJobsDueEvent, limits) => [
  wakeLiveWorld(detail.worldId, detail.pks ?? [], limits),
]);
