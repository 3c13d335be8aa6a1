import type { APIGatewayProxyResult } from 'aws-lambda';
import { expect, test } from 'vitest';
import { toEvent } from '../../infra/local/server.ts';
import { hexOf } from '../../shared/domain/id.ts';
import { beginCall } from '../../shared/http/call.ts';
import { inRequestSpan } from '../../shared/http/request-span.ts';
import { currentTrace } from '../../shared/telemetry/spans.ts';
import { newTraceparent } from '../support/world/traceparents.ts';

const GATEWAY = 'Root=1-5759e988-bd862e3fe1be46a994272793';
const GATEWAY_TRACE = '5759e988bd862e3fe1be46a994272793';

async function traceOf(headersDistinct: Record<string, string[]>) {
  const url = new URL('http://127.0.0.1/api/v1/payments');
  const event = toEvent({ method: 'GET', headersDistinct }, url, null, Buffer.from(''));
  const call = beginCall(event, {} as Parameters<typeof beginCall>[1]);
  let traceId: string | undefined;
  await inRequestSpan(call, async () => {
    traceId = currentTrace()?.traceId;
    return { statusCode: 200, body: '' } as APIGatewayProxyResult;
  });
  return { traceId, ownId: hexOf(call.requestId) };
}

test("a request has the caller's trace, else the gateway's, else one with the bits of its own id", async () => {
  const { traceId: callers, traceparent } = newTraceparent();
  const sent = { traceparent: [traceparent], 'x-amzn-trace-id': [GATEWAY] };
  expect((await traceOf(sent)).traceId).toBe(callers);
  expect((await traceOf({ ...sent, traceparent: [traceparent, traceparent] })).traceId).toBe(GATEWAY_TRACE);
  const { traceId, ownId } = await traceOf({});
  expect(traceId).toBe(ownId);
});

test('requests that are handled at once have a trace each', async () => {
  const made = Array.from({ length: 50 }, () => newTraceparent());
  const traces = await Promise.all(made.map(({ traceparent }) => traceOf({ traceparent: [traceparent] })));
  expect(traces.map(({ traceId }) => traceId)).toEqual(made.map(({ traceId }) => traceId));
  expect(currentTrace()).toBeUndefined();
});
