import { found, Problem } from '../errors/problem.ts';
import { DAY_MS, HOUR_MS } from './clock.ts';
import type { EndpointEventType } from './endpoint-event.ts';
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
/** The HTTP status of a receiver that wants nothing more. */
const GONE = 410;
export const ENDPOINT_DESCRIPTION_MAX_CHARS = 200;
export const ENDPOINT_FILTERS_MAX = 50;
/** How long two secrets may sign. */
export const OVERLAP_HOURS_MAX = 168;
export const OVERLAP_HOURS_DEFAULT = 24;
/** How long an endpoint may fail before it is disabled, on the merchant's clock. */
export const FAILING_MAX_MS = 5 * DAY_MS;
/** How long an endpoint has to answer a ping, for which a request waits. */
export const PING_SECONDS = 5;
/** How far back events can be recovered. */
export const RECOVERABLE_MS = 30 * DAY_MS;
/** How long a recovery can be under way: longer than a job is tried. What was given up is in nobody's way for ever. */
const RECOVERING_MAX_MS = 3 * HOUR_MS;
/** How often it is noted that an endpoint goes on as it did. */
const NOTED_EVERY_MS = HOUR_MS;
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
  /**
   * Whether the addresses of payers' pages stand in what it is sent: where the key that said its `url` may read payments.
   * Sinks, and endpoints older than this field, lack it: they see them.
   */
  readonly seesPages?: boolean;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  /** When it was last enabled again: it gets what happens from then on. Null where it never was disabled. */
  readonly enabledAtMs: number | null;
  /** Standard Webhooks signing secret, `whsec_…`. */
  readonly secret: string;
  /** The one before: it signs too until this instant of real time. */
  readonly previousSecret: { readonly secret: string; readonly endsAtMs: number } | null;
  /* What attempts have said of it, on the merchant's clock: exact where success and failure change, else by the hour. */
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  /** The first failure since the last success. */
  readonly failingSinceMs: number | null;
  /** When what it has missed was asked for, on the merchant's clock: until all of that is queued. */
  readonly recoveringSinceMs?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A change of an endpoint, or its end. */
export interface EndpointChange {
  readonly kind: 'endpoint';
  readonly before: Endpoint | null;
  readonly after: Endpoint | null;
  /** What tells the others of it. */
  readonly event?: EndpointEventType;
  /** What is told of one that has ended: how it was, with the instant of its end and the version after its last. */
  readonly ended?: Endpoint;
}

/** What a merchant says of an endpoint. */
export interface EndpointInput {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly string[] | undefined;
  /** See `Endpoint`; it counts where the url is new. */
  readonly seesPages?: boolean;
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
    previousSecret: null,
    lastSuccessAtMs: null,
    lastFailureAtMs: null,
    failingSinceMs: null,
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
  { url, seesPages, ...wish }: EndpointInput & { readonly url: string },
  nowMs: number,
): EndpointChange & { readonly after: Endpoint } {
  const slot = freeSlot(others, 1, ENDPOINTS_MAX);
  if (slot === null) {
    throw new Problem('endpoint_limit_reached');
  }
  const identity = { id: newId('whe', nowMs), slot, url, secret: newSigningSecret() };
  const pages = seesPages === undefined ? {} : { seesPages };
  const after = { ...newEndpoint(identity, nowMs), ...saidIn(wish), ...pages };
  return { kind: 'endpoint', before: null, after, event: 'webhook_endpoint.created' };
}

/** Changes what is said; enables it again, or disables it, where that is asked for. */
export function updateEndpoint(
  endpoint: Endpoint,
  { enabled, seesPages, ...wish }: EndpointInput & { readonly enabled?: boolean | undefined },
  nowMs: number,
): EndpointChange & { readonly after: Endpoint } {
  const isMoved = wish.url !== undefined && wish.url !== endpoint.url;
  const turned = enabled === (endpoint.status === 'enabled') ? undefined : enabled;
  const after = {
    ...endpoint,
    ...saidIn(wish),
    ...(isMoved && seesPages !== undefined && { seesPages }),
    ...(turned === true &&
      ({
        status: 'enabled',
        disabledReason: null,
        enabledAtMs: nowMs,
        failingSinceMs: null,
      } as const)),
    ...(turned === false && ({ status: 'disabled', disabledReason: 'requested' } as const)),
    version: endpoint.version + 1,
    updatedAtMs: Math.max(nowMs, endpoint.updatedAtMs),
  };
  return { kind: 'endpoint', before: endpoint, after, event: 'webhook_endpoint.updated' };
}

/** Ends an endpoint: nothing is sent to it any more. */
export function deleteEndpoint(endpoint: Endpoint, nowMs: number): EndpointChange {
  const updatedAtMs = Math.max(nowMs, endpoint.updatedAtMs);
  const ended = { ...endpoint, version: endpoint.version + 1, updatedAtMs };
  return { kind: 'endpoint', before: endpoint, after: null, event: 'webhook_endpoint.deleted', ended };
}

/**
 * Makes a new secret. The one before signs as well for a while; one before that no longer does.
 * @param overlapHours of real time
 */
export function rotateSecret(
  endpoint: Endpoint,
  overlapHours: number,
  { nowMs, realNowMs }: { readonly nowMs: number; readonly realNowMs: number },
): EndpointChange & { readonly after: Endpoint } {
  const { secret } = endpoint;
  const after = {
    ...endpoint,
    secret: newSigningSecret(),
    previousSecret: { secret, endsAtMs: realNowMs + overlapHours * HOUR_MS },
    version: endpoint.version + 1,
    updatedAtMs: Math.max(nowMs, endpoint.updatedAtMs),
  };
  return { kind: 'endpoint', before: endpoint, after, event: 'webhook_endpoint.updated' };
}

/** @throws Problem `endpoint_busy` while a recovery of the endpoint is under way */
export function requireNoRecovery({ recoveringSinceMs }: Endpoint, nowMs: number): void {
  if (recoveringSinceMs !== undefined && nowMs - recoveringSinceMs < RECOVERING_MAX_MS) {
    throw new Problem('endpoint_busy');
  }
}

export function beginRecovery(endpoint: Endpoint, nowMs: number): EndpointChange {
  const after = { ...endpoint, recoveringSinceMs: nowMs, version: endpoint.version + 1 };
  return { kind: 'endpoint', before: endpoint, after };
}

export function endRecovery(endpoint: Endpoint): EndpointChange {
  const { recoveringSinceMs: _, ...rest } = endpoint;
  return { kind: 'endpoint', before: endpoint, after: { ...rest, version: endpoint.version + 1 } };
}

/** When the secret before ends, in real time; null where none counts any more. */
export function previousSecretEndsAt({ previousSecret }: Endpoint, realNowMs: number): number | null {
  return previousSecret !== null && previousSecret.endsAtMs > realNowMs ? previousSecret.endsAtMs : null;
}

/** What signs a delivery now, the newest first. */
export function secretsOf(endpoint: Endpoint, realNowMs: number): string[] {
  const { secret, previousSecret } = endpoint;
  const isOverlap = previousSecretEndsAt(endpoint, realNowMs) !== null;
  return [secret, ...(isOverlap && previousSecret !== null ? [previousSecret.secret] : [])];
}

/** @throws Problem `invalid_state` where it is disabled, and so gets nothing */
export function requireEnabled({ status }: Endpoint): void {
  if (status !== 'enabled') {
    throw new Problem('invalid_state', { details: { current_status: status, allowed_from: ['enabled'] } });
  }
}

function saidIn({ url, description, events }: EndpointInput): Partial<Endpoint> {
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(events !== undefined && { events }),
  };
}

/** Whether a receiver of this service is behind it: it belongs to the test kit. */
export function isSink({ url }: Pick<Endpoint, 'url'>): boolean {
  return url.startsWith('/');
}

/**
 * The endpoint of an id among those of merchants' own.
 * @throws Problem `webhook_endpoint_not_found`
 */
export function merchantEndpoint(receivers: readonly Endpoint[], id: string): Endpoint {
  return found(
    receivers.find((endpoint) => endpoint.id === id && !isSink(endpoint)),
    'webhook_endpoint_not_found',
  );
}

/** Where deliveries go. @param baseUrl where this service answers */
export function addressOf(endpoint: Pick<Endpoint, 'url'>, baseUrl: string): string {
  return isSink(endpoint) ? `${baseUrl}${endpoint.url}` : endpoint.url;
}

/**
 * Whether an endpoint gets an event: it is enabled, was when that happened, and asks for it.
 * @param sinceMs when it was to be sent again, where it was recovered; on the merchant's clock
 */
export function isSubscribed(
  endpoint: Endpoint,
  event: Pick<PublishedEvent, 'id' | 'type' | 'resourceId'>,
  sinceMs?: number,
): boolean {
  const { status, enabledAtMs } = endpoint;
  const isLate = enabledAtMs !== null && (sinceMs ?? partsOf(event.id).atMs) < enabledAtMs;
  return status === 'enabled' && !isLate && subscribesTo(endpoint, event);
}

/** Whether an endpoint asks for an event: never for one of itself. */
export function subscribesTo(
  { id, events }: Endpoint,
  { type, resourceId }: Pick<PublishedEvent, 'type' | 'resourceId'>,
): boolean {
  return resourceId !== id && includesType(events, type);
}

/** Whether one of these filters lets a type of event through. */
export function includesType(filters: readonly string[], type: string): boolean {
  return filters.some((filter) => isLike(type, filter));
}

/** What came of an attempt, as far as it says something of the endpoint. */
interface Attempted {
  readonly status: string;
  readonly answeredStatus: number | null;
  readonly attemptedAtMs: number;
}

/**
 * Why a failed attempt disables an endpoint, or null where it does not (contract §14). Sinks fail because a test wants
 * them to.
 */
export function disabledBy(
  endpoint: Endpoint,
  { answeredStatus, attemptedAtMs }: Omit<Attempted, 'status'>,
): DisabledReason | null {
  if (isSink(endpoint)) {
    return null;
  }
  if (answeredStatus === GONE) {
    return 'gone';
  }
  const { failingSinceMs } = endpoint;
  return failingSinceMs !== null && attemptedAtMs - failingSinceMs >= FAILING_MAX_MS ? 'failing' : null;
}

/** What attempts, in their order, change in an endpoint; null where they say nothing new. */
export function noteAttempts(endpoint: Endpoint, attempts: readonly Attempted[]): EndpointChange | null {
  const noted = isSink(endpoint) ? endpoint : attempts.reduce(noteAttempt, endpoint);
  if (noted === endpoint) {
    return null;
  }
  const after = { ...noted, version: endpoint.version + 1 };
  const isDisabled = after.status !== endpoint.status;
  return {
    kind: 'endpoint',
    before: endpoint,
    after,
    ...(isDisabled && { event: 'webhook_endpoint.disabled' }),
  };
}

function noteAttempt(endpoint: Endpoint, attempt: Attempted): Endpoint {
  if (endpoint.status === 'disabled') {
    return endpoint;
  }
  return attempt.status === 'delivered' ? noteSuccess(endpoint, attempt) : noteFailure(endpoint, attempt);
}

function noteSuccess(endpoint: Endpoint, { attemptedAtMs }: Attempted): Endpoint {
  const { lastSuccessAtMs, failingSinceMs } = endpoint;
  return failingSinceMs !== null || isWorthNoting(lastSuccessAtMs, attemptedAtMs)
    ? { ...endpoint, lastSuccessAtMs: later(lastSuccessAtMs, attemptedAtMs), failingSinceMs: null }
    : endpoint;
}

function noteFailure(endpoint: Endpoint, attempt: Attempted): Endpoint {
  const { lastFailureAtMs, failingSinceMs, updatedAtMs } = endpoint;
  const { attemptedAtMs } = attempt;
  const reason = disabledBy(endpoint, attempt);
  if (reason === null && failingSinceMs !== null && !isWorthNoting(lastFailureAtMs, attemptedAtMs)) {
    return endpoint;
  }
  return {
    ...endpoint,
    lastFailureAtMs: later(lastFailureAtMs, attemptedAtMs),
    failingSinceMs: failingSinceMs ?? attemptedAtMs,
    ...(reason !== null && {
      status: 'disabled',
      disabledReason: reason,
      updatedAtMs: later(updatedAtMs, attemptedAtMs),
    }),
  };
}

function isWorthNoting(notedAtMs: number | null, atMs: number): boolean {
  return notedAtMs === null || atMs - notedAtMs >= NOTED_EVERY_MS;
}

function later(oneMs: number | null, otherMs: number): number {
  return Math.max(oneMs ?? otherMs, otherMs);
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
