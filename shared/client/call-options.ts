/** Options of one call. */
export interface CallOptions {
  /** By default a new UUIDv7 for each call. Pass the key of an earlier call to get its outcome. */
  readonly idempotencyKey?: string | undefined;
  /** Aborts the call: nothing more is sent. A request that was already sent may have taken effect. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take; by default a little longer than the operation may run. */
  readonly timeoutMs?: number | undefined;
}
