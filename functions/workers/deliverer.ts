import type { EventBridgeEvent, SQSEvent } from 'aws-lambda';
import type { Due } from '../../shared/contract/bus.ts';
import { drainEndpointQueues } from '../../shared/flows/jobs/drain-endpoint-queues.ts';
import { serveRunner } from '../../shared/http/serve-runner.ts';

/** Makes queued delivery attempts. Each message that the bus put into the queue names an endpoint with due attempts. */
export const handler = serveRunner('deliverer', ({ Records }: SQSEvent, limits) =>
  Records.map(({ body }) => {
    const { detail } = JSON.parse(body) as EventBridgeEvent<'receiver due', Due>;
    return drainEndpointQueues(detail.worldId, detail.pks ?? [], limits);
  }),
);
