/** The data of a response outside of its body. */
export interface AnswerFacts {
  readonly status: number;
  /** Identifies the request in the logs of the service. */
  readonly requestId: string | null;
  /** Whether this is the saved response of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
  /** The merchant's clock, in test mode. */
  readonly clock: string | null;
  /** The version of the API that responded. */
  readonly version: string | null;
  /** The key that was sent; null if the operation takes none. */
  readonly idempotencyKey: string | null;
  /** How many times the request was sent. */
  readonly attempts: number;
  readonly headers: Headers;
}

/** Kept beside the responses, so that these hold only what the API documents. */
const factsOf = new WeakMap<object, AnswerFacts>();

/**
 * The data outside of the body of a response, or of a page, that the client returned.
 * @throws TypeError for any other object, such as a copy
 */
export function answerOf(data: object): AnswerFacts {
  const facts = factsOf.get(data);
  if (facts === undefined) {
    throw new TypeError('This object is no answer of the client: a copy of one, or an item of a page.');
  }
  return facts;
}

/** @internal */
export function rememberAnswer<Data extends object>(data: Data, facts: AnswerFacts): Data {
  factsOf.set(data, facts);
  return data;
}
