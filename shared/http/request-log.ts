import { type LoggedRequest, loggedText } from '../domain/logged-request.ts';
import { worldNow } from '../domain/world.ts';
import { logRequest } from '../store/requests/request-log.ts';
import { describeError, log } from '../telemetry/log.ts';
import { currentTrace } from '../telemetry/spans.ts';
import { type Call, type Caller, headerOf } from './call.ts';
import type { CallOutcome, FramedRow, RecordEnd } from './responder.ts';

const PATH_MAX_BYTES = 512;
const KEY_MAX_BYTES = 255;

/**
 * Logs a request of a test world (contract §18). Live mode logs none. Never fails the request. One that was refused because
 * the store does not respond, or the time is over, is not logged: its response must not wait for the store.
 */
export const recordRequest: RecordEnd = async ({ row, call, requester }, outcome) => {
  const isKept = outcome.code !== 'temporarily_unavailable';
  if (requester?.world === undefined || requester.world.mode !== 'test' || !isKept) {
    return;
  }
  const request = toLogged(row, call, requester, outcome);
  await logRequest(requester.world, request, call.startedAtMs).catch((error: unknown) =>
    log.warn('a request was not logged', { request_id: call.requestId, error: describeError(error) }),
  );
};

function toLogged(row: FramedRow, call: Call, { key, world }: Caller, outcome: CallOutcome): LoggedRequest {
  const { event, requestId, startedAtMs } = call;
  const sent = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString();
  const idempotencyKey = headerOf(call, 'idempotency-key');
  const traceId = currentTrace()?.traceId;
  return {
    id: requestId,
    atMs: worldNow(world, startedAtMs),
    method: event.httpMethod,
    path: loggedText(event.path, PATH_MAX_BYTES),
    operation: row.id,
    status: outcome.status,
    code: outcome.code ?? null,
    durationMs: Date.now() - startedAtMs,
    keyId: key.id,
    idempotencyKey: idempotencyKey === undefined ? null : loggedText(idempotencyKey, KEY_MAX_BYTES),
    isReplayed: outcome.isReplayed === true,
    ...(traceId !== undefined && { traceId }),
    requestBody: sent === '' ? null : loggedText(sent),
    responseBody: outcome.body === '' ? null : loggedText(outcome.body),
  };
}
