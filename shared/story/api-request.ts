/** A request as it is sent, except for the key, which the gate adds. */
export interface ApiRequest {
  readonly method: string;
  /** From the root of the service, with the query: `/api/v1/payments?limit=3`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the operation needs a key. */
  readonly isKeyed: boolean;
}
