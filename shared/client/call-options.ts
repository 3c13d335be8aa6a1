/** Options of one call. */
export interface CallOptions {
  /** By default a new UUIDv7 for each call. Give the one of an earlier call to learn what became of it. */
  readonly idempotencyKey?: string | undefined;
  /** Ends the call: nothing more is sent. What was sent may have taken effect. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take; by default a little longer than the operation may run. */
  readonly timeoutMs?: number | undefined;
}
