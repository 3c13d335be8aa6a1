import * as v from 'valibot';
import { toTimestamp } from '../../domain/clock.ts';
import { type LoggedRequest, withoutPageTokens } from '../../domain/logged-request.ts';
import { component, idResponse, int32, timestamp } from '../fields.ts';
import { pageOf, pageQuery } from '../list-page.ts';
import { type Operation, READ } from '../operation.ts';
import { mayUsePages, type Viewer } from '../viewer.ts';

const loggedRequestResponse = component(
  'LoggedRequest',
  v.object({
    id: idResponse('req'),
    at: timestamp,
    method: v.string(),
    path: v.string(),
    operation: v.string(),
    status: int32,
    code: v.nullable(v.string()),
    duration_ms: int32,
    key_id: idResponse('key'),
    idempotency_key: v.nullable(v.string()),
    replayed: v.boolean(),
    trace_id: v.nullable(v.string()),
    request_body: v.nullable(v.string()),
    response_body: v.nullable(v.string()),
  }),
);

export const requestLogOperations = {
  listRequests: {
    ...READ,
    id: 'testkit.ListRequests',
    path: '/api/v1/test/requests',
    permission: 'simulate',
    mode: 'test',
    reads: ['requests'],
    query: v.strictObject(pageQuery),
    success: { status: 200, name: 'LoggedRequestPage', schema: pageOf(loggedRequestResponse) },
  },
} as const satisfies Record<string, Operation>;

/** A key that may not use the payers' pages does not see their addresses (contract §5). */
export function viewLoggedRequest(
  request: LoggedRequest,
  viewer: Viewer,
): v.InferInput<typeof loggedRequestResponse> {
  const seen = (text: string | null) =>
    text === null || mayUsePages(viewer) ? text : withoutPageTokens(text);
  return {
    id: request.id,
    at: toTimestamp(request.atMs),
    method: request.method,
    path: request.path,
    operation: request.operation,
    status: request.status,
    code: request.code,
    duration_ms: request.durationMs,
    key_id: request.keyId,
    idempotency_key: request.idempotencyKey,
    replayed: request.isReplayed,
    trace_id: request.traceId ?? null,
    request_body: seen(request.requestBody),
    response_body: seen(request.responseBody),
  };
}
