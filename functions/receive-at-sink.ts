import { sinkOperations } from '../shared/contract/testkit/sinks.ts';
import { Problem } from '../shared/errors/problem.ts';
import { serveReceiver } from '../shared/http/serve-receiver.ts';
import { receiveAtSink } from '../shared/store/testkit/sinks.ts';
import { VERDICT_HEADER, verdictOf } from '../shared/webhooks/sign.ts';

/** Receives a delivery for a sink: counts it, checks its signature, and responds as the sink is configured. */
export const handler = serveReceiver(sinkOperations.receiveAtSink, async ({ params, headers, body }) => {
  const received = await receiveAtSink(params.token);
  if (received === null) {
    throw new Problem('route_not_found');
  }
  const verdict = verdictOf(received.secret, body, headers);
  return { status: received.status, headers: { [VERDICT_HEADER]: verdict }, body: '{"received":true}' };
});
