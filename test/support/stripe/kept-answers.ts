import { DAY_MS } from '../../../shared/domain/clock.ts';
import type { StripeError } from './stripe-account.ts';

export interface StandInAnswer {
  readonly status: number;
  readonly body: object;
}

interface Entry {
  readonly request: string;
  readonly untilMs: number;
  /** Null while it is not there yet. */
  answer: StandInAnswer | null;
}

/**
 * The answers that Stripe keeps under idempotency keys, for 24 hours: one of 500 too, but none where nothing was begun
 * (https://docs.stripe.com/api/idempotent_requests).
 */
export class KeptAnswers {
  readonly #entries = new Map<string, Entry>();

  /** @param asked the request, which must be the same each time */
  async answer(
    key: string,
    request: string,
    nowMs: number,
    run: () => Promise<StandInAnswer>,
  ): Promise<{ readonly answer: StandInAnswer; readonly isReplay: boolean }> {
    const known = this.#entries.get(key);
    if (known !== undefined && known.untilMs > nowMs) {
      const isSame = known.request === request;
      const isReplay = isSame && known.answer !== null;
      const otherwise = isSame ? KEY_IN_USE : OTHER_REQUEST;
      return { answer: isReplay ? (known.answer as StandInAnswer) : otherwise, isReplay };
    }
    const entry: Entry = { request, untilMs: nowMs + DAY_MS, answer: null };
    this.#entries.set(key, entry);
    const answer = await run();
    if (answer.status === 200 || answer.status >= 500) {
      entry.answer = answer;
    } else {
      this.#entries.delete(key);
    }
    return { answer, isReplay: false };
  }
}

export function errorOf(status: number, error: StripeError): StandInAnswer {
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
