/** A receiver of a world's events: a merchant's own server, or a sink, behind which is a receiver of this service. */
export interface Endpoint {
  readonly id: string;
  /** Its place among the receivers of the world: merchants' own from 1, then those of sinks. */
  readonly slot: number;
  readonly version: number;
  /** An absolute URL; of a sink, the path on this service: where that answers is not stored (contract §3). */
  readonly url: string;
  /** Standard Webhooks signing secret, `whsec_…`. */
  readonly secret: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A change of an endpoint. It makes no event. */
export interface EndpointChange {
  readonly kind: 'endpoint';
  readonly before: Endpoint | null;
  readonly after: Endpoint;
}

/** How many endpoints of their own merchants may have in a world: the first slots are theirs (contract §14). */
export const ENDPOINTS_MAX = 16;

/** Whether a receiver of this service is behind it: it belongs to the test kit. */
export function isOurs({ url }: Pick<Endpoint, 'url'>): boolean {
  return url.startsWith('/');
}

/** Where deliveries go. @param baseUrl where this service answers */
export function addressOf(endpoint: Pick<Endpoint, 'url'>, baseUrl: string): string {
  return isOurs(endpoint) ? `${baseUrl}${endpoint.url}` : endpoint.url;
}

/** The lowest slot that none of these has, of so many from the first on, or null. */
export function freeSlot(taken: readonly Endpoint[], first: number, howMany: number): number | null {
  const slots = new Set(taken.map(({ slot }) => slot));
  const all = Array.from({ length: howMany }, (_, place) => first + place);
  return all.find((slot) => !slots.has(slot)) ?? null;
}
