import type { EventBridgeEvent, SQSEvent } from 'aws-lambda';
import type { Due } from '../../shared/contract/bus.ts';
import { runQueues } from '../../shared/flows/jobs/run-queues.ts';
import { serveRunner } from '../../shared/http/serve-runner.ts';

/** Makes queued delivery attempts. Each message that the bus put into the queue names an endpoint with due attempts. */
export const handler = serveRunner('deliverer', ({ Records }: SQSEvent, limits) =>
  Records.map(({ body }) => {
    const { detail } = JSON.parse(body) as EventBridgeEvent<'receiver due', Due>;
    return runQueues(detail.worldId, detail.pks ?? [], limits);
  }),
);
