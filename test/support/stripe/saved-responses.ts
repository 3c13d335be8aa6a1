import { DAY_MS } from '../../../shared/domain/clock.ts';
import type { StripeError } from './stripe-account.ts';

export interface StandInResponse {
  readonly status: number;
  readonly body: object;
}

interface Entry {
  readonly request: string;
  readonly untilMs: number;
  /** Null while the request is running. */
  response: StandInResponse | null;
}

/**
 * The responses that Stripe saves for idempotency keys for 24 hours: also a 500, but none if no work was started
 * (https://docs.stripe.com/api/idempotent_requests).
 */
export class SavedResponses {
  readonly #entries = new Map<string, Entry>();

  /** @param request which must be the same each time */
  async respond(
    key: string,
    request: string,
    nowMs: number,
    run: () => Promise<StandInResponse>,
  ): Promise<{ readonly response: StandInResponse; readonly isReplay: boolean }> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.untilMs > nowMs) {
      const isSame = known.request === request;
      const isReplay = isSame && known.response !== null;
      const otherwise = isSame ? KEY_IN_USE : OTHER_REQUEST;
      return { response: isReplay ? (known.response as StandInResponse) : otherwise, isReplay };
    }
    const entry: Entry = { request, untilMs: nowMs + DAY_MS, response: null };
    this.#entries.set(key, entry);
    const response = await run();
    if (response.status === 200 || response.status >= 500) {
      entry.response = response;
    } else {
      this.#entries.delete(key);
    }
    return { response, isReplay: false };
  }
}

export function errorOf(status: number, error: StripeError): StandInResponse {
  return { status, body: { error } };
}

const OTHER_REQUEST = errorOf(400, {
  type: 'idempotency_error',
  message:
    'Keys for idempotent requests can only be used with the same parameters they were first used with.',
});
const KEY_IN_USE = errorOf(409, {
  type: 'invalid_request_error',
  code: 'idempotency_key_in_use',
  message: 'There is currently another in-progress request using this Idempotency-Key.',
});
