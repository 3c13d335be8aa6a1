import { SpanKind, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { clientOf } from '../support/world/api.ts';
import { startInProcess } from '../support/world/in-process.ts';
import { newKey } from '../support/world/merchant.ts';
import { createLink, createPayment, moveClock, simulate } from '../support/world/resources.ts';
import { newTraceparent } from '../support/world/traceparents.ts';

/** A recorder of spans, as a layer registers one before a function is loaded. */
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);

const service = await startInProcess();
const { secret } = await newKey();
const api = clientOf(secret, service.baseUrl, service.send);
const PAYMENT = { amount: { currency: 'THB', minor: 12_900 }, expires_in_minutes: 15 };

beforeEach(() => exporter.reset());
afterAll(() => service.stop());

const named = (name: string) => exporter.getFinishedSpans().filter((span) => span.name === name);
const kindsOf = (traceId: string) =>
  exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);

describe('with a recorder,', () => {
  test('a request and each call of the table are spans of the trace that was sent', async () => {
    const { traceId, spanId, traceparent } = newTraceparent();
    await api(operations.createPayment, { body: PAYMENT, headers: { traceparent } });
    const [request, ...more] = named('POST /api/v1/payments');
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      kind: SpanKind.SERVER,
      parentSpanContext: { traceId, spanId, isRemote: true },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/payments',
        'http.response.status_code': 201,
      },
    });
    const [commit] = named('TransactWriteItems commit request');
    expect(commit).toMatchObject({
      kind: SpanKind.CLIENT,
      parentSpanContext: { traceId, spanId: request?.spanContext().spanId },
      attributes: { 'db.system.name': 'aws.dynamodb', 'db.operation.name': 'TransactWriteItems' },
    });
    expect(kindsOf(traceId).filter(({ kind }) => kind === SpanKind.CLIENT).length).toBeGreaterThan(2);
  });

  test('a request without a trace begins one, and what is recorded has no secret', async () => {
    await api(operations.createPayment, { body: PAYMENT });
    const [request] = named('POST /api/v1/payments');
    expect(request?.parentSpanContext).toBeUndefined();
    const recorded = JSON.stringify(
      exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]),
    );
    expect(recorded).not.toContain(secret);
  });

  test('a delivery is a span, and its receiver gets the id of that span', async () => {
    const { json: sink } = await api(operations.createWebhookSink, { body: {} });
    const endpoint = (await api(operations.createWebhookEndpoint, { body: { url: sink.url } })).json;
    const { json } = await api(operations.sendTestEvent, { params: { id: endpoint.id } });
    const [attempt] = named('POST');
    expect(attempt).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'http.request.resend_count': 0,
        'server.address': '127.0.0.1',
        'messaging.message.id': json.event_id,
        'messaging.destination.name': endpoint.id,
      },
    });
    const { traceId, spanId } = attempt?.spanContext() ?? {};
    const { data } = (await api(operations.listEndpointDeliveries, { params: { id: endpoint.id } })).json;
    expect(data[0]?.request_headers.traceparent).toBe(`00-${traceId}-${spanId}-01`);
  });

  test('a job is a span of the trace that made it', async () => {
    const { traceId, traceparent } = newTraceparent();
    const { id } = await createPayment(api);
    await api(operations.simulatePayment, {
      params: { id },
      body: { outcome: 'succeeded', delay_seconds: 30 },
      headers: { traceparent },
    });
    await moveClock(api, 60);
    const [job] = named('job apply-simulation');
    expect(job).toMatchObject({ kind: SpanKind.CONSUMER, parentSpanContext: { traceId } });
  });

  test('what is refused is told apart from what failed', async () => {
    const { id } = await createLink(api);
    await simulate(api, id, { outcome: 'succeeded' });
    const [refused] = named('POST /api/v1/test/payments/{id}/simulate');
    expect(refused).toMatchObject({
      attributes: { 'http.response.status_code': 404 },
      status: { code: 0 },
    });
  });
});
