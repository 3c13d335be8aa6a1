import type { EventBridgeEvent } from 'aws-lambda';
import type { Due } from '../../shared/contract/bus.ts';
import { runLiveJobs } from '../../shared/flows/jobs/run-live-jobs.ts';
import { serveRunner } from '../../shared/http/serve-runner.ts';

type Woken = EventBridgeEvent<'live jobs due', Due>;

/** Runs the due jobs of a live world, which may ask its provider: the job runner names them on the bus. */
export const handler = serveRunner('live-job-runner', ({ detail }: Woken, limits) => [
  runLiveJobs(detail.worldId, detail.pks ?? [], limits),
]);
