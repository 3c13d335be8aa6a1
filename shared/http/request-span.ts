import { type SpanContext, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { hexOf } from '../domain/id.ts';
import { currentTrace, inSpan } from '../telemetry/spans.ts';
import { parseAmazonTrace, parseTraceHeaders } from '../telemetry/trace-context.ts';
import type { Call } from './call.ts';

/**
 * Handles a request within its span. Its trace is the one that the caller sends, else the one under way (that of a
 * recorder around the function), else the gateway's; else the request begins one that has the bits of its own id.
 */
export function inRequestSpan(
  call: Call,
  handle: () => Promise<APIGatewayProxyResult>,
): Promise<APIGatewayProxyResult> {
  const { httpMethod, resource, path } = call.event;
  const span = {
    name: `${httpMethod} ${resource}`,
    kind: SpanKind.SERVER,
    attributes: { 'http.request.method': httpMethod, 'http.route': resource, 'url.path': path },
    parent: parentOf(call),
    traceId: hexOf(call.requestId),
  };
  return inSpan(span, async (own) => {
    const result = await handle();
    own.setAttribute('http.response.status_code', result.statusCode);
    if (result.statusCode >= 500) {
      own.setStatus({ code: SpanStatusCode.ERROR });
    }
    return result;
  });
}

function parentOf({ headerLines }: Call): SpanContext | null {
  const linesOf = (name: string) => headerLines.get(name) ?? [];
  const sent = parseTraceHeaders(linesOf('traceparent'), linesOf('tracestate'));
  return sent ?? (currentTrace() === undefined ? parseAmazonTrace(linesOf('x-amzn-trace-id')) : null);
}
