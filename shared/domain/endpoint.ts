import { found, Problem } from '../errors/problem.ts';
import { newId, partsOf } from './id.ts';
import type { PublishedEvent } from './published-event.ts';
import { newSigningSecret } from './secret.ts';

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
/** By its merchant; because it answered 410; because it failed for too long. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** How many endpoints of their own merchants may have in a world: the first slots are theirs (contract §14). */
export const ENDPOINTS_MAX = 16;
export const ENDPOINT_DESCRIPTION_MAX_CHARS = 200;
export const ENDPOINT_FILTERS_MAX = 50;
/** The filter that lets every event through. */
export const ALL_EVENTS = '*';

/** A receiver of a world's events: a merchant's own server, or a sink, behind which is a receiver of this service. */
export interface Endpoint {
  readonly id: string;
  /** Its place among the receivers of the world: merchants' own from 1, then those of sinks. */
  readonly slot: number;
  readonly version: number;
  /** An absolute URL; of a sink, the path on this service: where that answers is not stored (contract §3). */
  readonly url: string;
  readonly description: string | null;
  /** Types of events, `payment.*` and the like, or `*`: it gets what one of them lets through. */
  readonly events: readonly string[];
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  /** When it was last enabled again: it gets what happens from then on. Null where it never was disabled. */
  readonly enabledAtMs: number | null;
  /** Standard Webhooks signing secret, `whsec_…`. */
  readonly secret: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A change of an endpoint, or its end. It makes no event. */
export interface EndpointChange {
  readonly kind: 'endpoint';
  readonly before: Endpoint | null;
  readonly after: Endpoint | null;
}

/** What a merchant says of an endpoint. */
export interface EndpointWish {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly string[] | undefined;
}

/** What no other endpoint has. */
type Identity = Pick<Endpoint, 'id' | 'slot' | 'url' | 'secret'>;

/** An endpoint that gets everything. */
export function newEndpoint(identity: Identity, nowMs: number): Endpoint {
  return {
    ...identity,
    version: 1,
    description: null,
    events: [ALL_EVENTS],
    status: 'enabled',
    disabledReason: null,
    enabledAtMs: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/**
 * Creates an endpoint of a merchant's own.
 * @param others all receivers of the world
 * @throws Problem `endpoint_limit_reached`
 */
export function createEndpoint(
  others: readonly Endpoint[],
  { url, ...wish }: EndpointWish & { readonly url: string },
  nowMs: number,
): EndpointChange & { readonly after: Endpoint } {
  const slot = freeSlot(others, 1, ENDPOINTS_MAX);
  if (slot === null) {
    throw new Problem('endpoint_limit_reached');
  }
  const identity = { id: newId('whe', nowMs), slot, url, secret: newSigningSecret() };
  return { kind: 'endpoint', before: null, after: { ...newEndpoint(identity, nowMs), ...saidIn(wish) } };
}

/** Changes what is said; enables it again, or disables it, where that is asked for. */
export function updateEndpoint(
  endpoint: Endpoint,
  { enabled, ...wish }: EndpointWish & { readonly enabled?: boolean | undefined },
  nowMs: number,
): EndpointChange & { readonly after: Endpoint } {
  const turned = enabled === (endpoint.status === 'enabled') ? undefined : enabled;
  const after = {
    ...endpoint,
    ...saidIn(wish),
    ...(turned === true && ({ status: 'enabled', disabledReason: null, enabledAtMs: nowMs } as const)),
    ...(turned === false && ({ status: 'disabled', disabledReason: 'requested' } as const)),
    version: endpoint.version + 1,
    updatedAtMs: Math.max(nowMs, endpoint.updatedAtMs),
  };
  return { kind: 'endpoint', before: endpoint, after };
}

function saidIn({ url, description, events }: EndpointWish): Partial<Endpoint> {
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(events !== undefined && { events }),
  };
}

/** Whether a receiver of this service is behind it: it belongs to the test kit. */
export function isOurs({ url }: Pick<Endpoint, 'url'>): boolean {
  return url.startsWith('/');
}

/**
 * The endpoint of an id among those of merchants' own.
 * @throws Problem `webhook_endpoint_not_found`
 */
export function merchantsOwn(receivers: readonly Endpoint[], id: string): Endpoint {
  return found(
    receivers.find((endpoint) => endpoint.id === id && !isOurs(endpoint)),
    'webhook_endpoint_not_found',
  );
}

/** Where deliveries go. @param baseUrl where this service answers */
export function addressOf(endpoint: Pick<Endpoint, 'url'>, baseUrl: string): string {
  return isOurs(endpoint) ? `${baseUrl}${endpoint.url}` : endpoint.url;
}

/** Whether an endpoint gets an event: it is enabled, was when that happened, and asks for such. */
export function hears(endpoint: Endpoint, { id, type }: Pick<PublishedEvent, 'id' | 'type'>): boolean {
  const { status, enabledAtMs, events } = endpoint;
  const isLate = enabledAtMs !== null && partsOf(id).atMs < enabledAtMs;
  return status === 'enabled' && !isLate && events.some((filter) => isLike(type, filter));
}

/** Whether a filter lets a type of event through: the type itself, all of its resource (`payment.*`), or all (`*`). */
export function isLike(type: string, filter: string): boolean {
  return filter === ALL_EVENTS || filter === type || filter === familyOf(type);
}

/** `payment.succeeded` → `payment.*` */
export function familyOf(type: string): string {
  return type.replace(/\..*/, '.*');
}

/** The lowest slot that none of these has, of so many from the first on, or null. */
export function freeSlot(taken: readonly Endpoint[], first: number, howMany: number): number | null {
  const slots = new Set(taken.map(({ slot }) => slot));
  const all = Array.from({ length: howMany }, (_, place) => first + place);
  return all.find((slot) => !slots.has(slot)) ?? null;
}
