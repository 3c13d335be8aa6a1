declare const STANDS: unique symbol;

/**
 * When a request started, and a secret of its own: stored with the claim of its Idempotency-Key (contract §4). A retry
 * reads the same values, even after a crash, so it derives the same ids and sends the provider the same request.
 * Only `store/requests/claim.ts` makes a value of this type; where nobody outside is told of it, its time may be a later
 * one.
 */
export interface RequestStart {
  readonly [STANDS]: true;
  /** On the merchant's clock. */
  readonly atMs: number;
  /** Random, and stored in the claim alone: unguessable ids and tokens are derived from it. */
  readonly secret: string;
}

/** The id of a payment that is stored, or derived from a stored claim: only such ids are sent to a provider. */
export type PaymentId = string & { readonly [STANDS]: true };

/**
 * A request's claim, as a decision sees it. A decision waits until it stands before a request to a provider, and before
 * it writes by itself; everything else is stored together with the claim.
 */
export interface RequestClaim {
  /** Resolves when the claim is stored, and rejects if another request has the key. */
  readonly stands: () => Promise<RequestStart>;
  /** The start of this request, if it is new. A request that takes over a claim has an older one. */
  readonly newStart: RequestStart;
}
