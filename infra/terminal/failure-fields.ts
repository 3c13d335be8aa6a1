import { ConnectionError, type ProblemError } from '../../shared/client/call-error.ts';
import { START } from './program-name.ts';

/** What to do where a service sends no response. */
export const CHECK_SERVICE = `Check that it runs ("${START}") and that the base URL is right.`;

/** The error of a call, as the fields of its JSON. */
export function failureFields(error: ProblemError | ConnectionError) {
  if (error instanceof ConnectionError) {
    const { reason: code, status, message: detail, idempotencyKey: idempotency_key } = error;
    return { code, status, detail, idempotency_key };
  }
  const { code, status, title, detail, details, errors, type } = error;
  const sent = { request_id: error.requestId, idempotency_key: error.idempotencyKey };
  return { code, status, title, detail, details, errors, type, ...sent };
}
