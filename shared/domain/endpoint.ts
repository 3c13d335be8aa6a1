import { found, Problem } from '../errors/problem.ts';
import { HOUR_MS } from './clock.ts';
import type { EndpointEventType } from './endpoint-event.ts';
import { ALL_EVENTS, ENDPOINTS_MAX, FAILING_MAX_MS } from './endpoint-limits.ts';
import { newId, partsOf } from './id.ts';
import { invalidState, type Machine } from './machine.ts';
import type { PublishedEvent } from './published-event.ts';
import { nextVersion, type Step } from './resource-change.ts';
import { newSigningSecret } from './secret.ts';

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
/** Disabled by its merchant; by a response of 410; by failing for too long. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The life of an endpoint, by the reasons for which it is disabled (contract §14). */
export const endpointMachine: Machine<EndpointStatus, DisabledReason | 'enable'> & {
  readonly enabled: Readonly<Record<DisabledReason, EndpointStatus>>;
} = {
  enabled: { requested: 'disabled', gone: 'disabled', failing: 'disabled' },
  disabled: { enable: 'enabled' },
};

/** The HTTP status by which a receiver declines all further events. */
const GONE = 410;
/** How long a recovery blocks another one: longer than a job is retried, so a parked job does not block for ever. */
const RECOVERING_MAX_MS = 3 * HOUR_MS;
/** How often an unchanged success or failure of an endpoint is recorded. */
const NOTED_EVERY_MS = HOUR_MS;

/** A webhook endpoint of a world: a merchant's own server, or a sink, which this service itself hosts. */
export interface Endpoint {
  readonly id: string;
  /** Its position among the endpoints of the world: merchants' own from 1, then those of sinks. */
  readonly slot: number;
  readonly version: number;
  /** An absolute URL; of a sink, only the path on this service: the service's own URL is not stored (contract §3). */
  readonly url: string;
  readonly description: string | null;
  /** Event types, families such as `payment.*`, or `*`: the endpoint gets each event that matches one of them. */
  readonly events: readonly string[];
  /**
   * Whether its deliveries contain the addresses of payers' pages: if the key that set its `url` may read payments.
   * Sinks lack it: they get the addresses.
   */
  readonly seesPages?: boolean;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  /** When it was last enabled again: it gets only events from then on. Null where it never was disabled. */
  readonly enabledAtMs: number | null;
  /** Standard Webhooks signing secret, `whsec_…`. */
  readonly secret: string;
  /** The previous secret: it signs too, until this instant of real time. */
  readonly previousSecret: { readonly secret: string; readonly endsAtMs: number } | null;
  /* Results of attempts, on the merchant's clock: exact when success turns to failure or back, else updated hourly. */
  readonly lastSuccessAtMs: number | null;
  readonly lastFailureAtMs: number | null;
  /** The first failure since the last success. */
  readonly failingSinceMs: number | null;
  /** When its recovery was requested, on the merchant's clock. Set until all missed events are queued. */
  readonly recoveringSinceMs?: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The creation, change or deletion of an endpoint. */
export interface EndpointChange {
  readonly kind: 'endpoint';
  readonly before: Endpoint | null;
  readonly after: Endpoint | null;
  /** The event that the merchant's other endpoints get. */
  readonly event?: EndpointEventType;
  /** A deleted endpoint as its event shows it: with the instant of the deletion and the version after its last. */
  readonly ended?: Endpoint;
}

/** The step that an endpoint's change reports; null where it reports none. */
export function endpointStep({
  before,
  after,
  event,
  ended,
}: EndpointChange): Step<EndpointEventType, Endpoint> | null {
  const shown = after ?? ended;
  return event === undefined || shown === undefined
    ? null
    : { event, previousStatus: before?.status ?? null, after: shown };
}

/** What a merchant sets of an endpoint. */
export interface EndpointInput {
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  readonly events?: readonly string[] | undefined;
  /** See `Endpoint`; applied only if the url is new. */
  readonly seesPages?: boolean | undefined;
}

/** The fields that are unique to an endpoint. */
type EndpointIdentity = Pick<Endpoint, 'id' | 'slot' | 'url' | 'secret'>;

/** A new endpoint, subscribed to every event. */
export function newEndpoint(identity: EndpointIdentity, nowMs: number): Endpoint {
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
 * Creates a merchant's own endpoint.
 * @param others all endpoints of the world
 * @throws Problem `endpoint_limit_reached`
 */
export function createEndpoint(
  others: readonly Endpoint[],
  { url, ...input }: EndpointInput & { readonly url: string },
  nowMs: number,
): EndpointChange & { readonly after: Endpoint } {
  const slot = freeSlot(others, 1, ENDPOINTS_MAX);
  if (slot === null) {
    throw new Problem('endpoint_limit_reached');
  }
  const identity = { id: newId('whe', nowMs), slot, url, secret: newSigningSecret() };
  const after = { ...newEndpoint(identity, nowMs), ...givenFields(input) };
  return { kind: 'endpoint', before: null, after, event: 'webhook_endpoint.created' };
}

/** Changes the given fields of an endpoint; enables it again, or disables it, where `enabled` is given. */
export function updateEndpoint(
  endpoint: Endpoint,
  { enabled, seesPages, ...input }: EndpointInput & { readonly enabled?: boolean | undefined },
  nowMs: number,
): EndpointChange & { readonly after: Endpoint } {
  const isMoved = input.url !== undefined && input.url !== endpoint.url;
  const turned = enabled === (endpoint.status === 'enabled') ? undefined : enabled;
  const change: Partial<Endpoint> = {
    ...givenFields(isMoved ? { ...input, seesPages } : input),
    ...(turned === true && {
      status: 'enabled',
      disabledReason: null,
      enabledAtMs: nowMs,
      failingSinceMs: null,
    }),
    ...(turned === false && { status: 'disabled', disabledReason: 'requested' }),
  };
  return changeEndpoint(endpoint, change, nowMs);
}

/** Deletes an endpoint: nothing is sent to it any more. */
export function deleteEndpoint(endpoint: Endpoint, nowMs: number): EndpointChange {
  const ended = nextVersion(endpoint, {}, nowMs);
  return { kind: 'endpoint', before: endpoint, after: null, event: 'webhook_endpoint.deleted', ended };
}

/**
 * Makes a new secret. The previous one signs too for the overlap; the one before that no longer does.
 * @param overlapHours of real time
 */
export function rotateSecret(
  endpoint: Endpoint,
  overlapHours: number,
  { nowMs, realNowMs }: { readonly nowMs: number; readonly realNowMs: number },
): EndpointChange & { readonly after: Endpoint } {
  const previousSecret = { secret: endpoint.secret, endsAtMs: realNowMs + overlapHours * HOUR_MS };
  return changeEndpoint(endpoint, { secret: newSigningSecret(), previousSecret }, nowMs);
}

function changeEndpoint(before: Endpoint, change: Partial<Endpoint>, nowMs: number) {
  const after = nextVersion(before, change, nowMs);
  return { kind: 'endpoint', before, after, event: 'webhook_endpoint.updated' } as const;
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

/** When the previous secret stops signing, in real time; null where none signs any more. */
export function previousSecretEndsAt({ previousSecret }: Endpoint, realNowMs: number): number | null {
  return previousSecret !== null && previousSecret.endsAtMs > realNowMs ? previousSecret.endsAtMs : null;
}

/** The secrets that sign a delivery now, newest first. */
export function secretsOf(endpoint: Endpoint, realNowMs: number): string[] {
  const { secret, previousSecret } = endpoint;
  const isOverlap = previousSecretEndsAt(endpoint, realNowMs) !== null;
  return [secret, ...(isOverlap && previousSecret !== null ? [previousSecret.secret] : [])];
}

/** @throws Problem `invalid_state` where it is disabled, and so gets nothing */
export function requireEnabled({ status }: Endpoint): void {
  if (status !== 'enabled') {
    throw invalidState('delivery', status, ['enabled']);
  }
}

function givenFields({ url, description, events, seesPages }: EndpointInput): Partial<Endpoint> {
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(events !== undefined && { events }),
    ...(seesPages !== undefined && { seesPages }),
  };
}

/** Whether this service itself hosts the endpoint: sinks belong to the test kit. */
export function isSink({ url }: Pick<Endpoint, 'url'>): boolean {
  return url.startsWith('/');
}

/**
 * The merchant's own endpoint with this id.
 * @throws Problem `webhook_endpoint_not_found`
 */
export function merchantEndpoint(receivers: readonly Endpoint[], id: string): Endpoint {
  return found(
    receivers.find((endpoint) => endpoint.id === id && !isSink(endpoint)),
    'webhook_endpoint_not_found',
  );
}

/** The absolute URL of an endpoint. @param baseUrl of this service */
export function addressOf(endpoint: Pick<Endpoint, 'url'>, baseUrl: string): string {
  return isSink(endpoint) ? `${baseUrl}${endpoint.url}` : endpoint.url;
}

/**
 * Whether an endpoint gets an event: it is enabled, was enabled when the event happened, and subscribes to it.
 * @param sinceMs when its recovery was requested, if it is recovered: counts instead of when the event happened
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

/** Whether an endpoint subscribes to an event: never to one about itself. */
export function subscribesTo(
  { id, events }: Endpoint,
  { type, resourceId }: Pick<PublishedEvent, 'type' | 'resourceId'>,
): boolean {
  return resourceId !== id && includesType(events, type);
}

/** Whether one of these filters matches a type of event. */
export function includesType(filters: readonly string[], type: string): boolean {
  return filters.some((filter) => isLike(type, filter));
}

/** The part of an attempt's outcome that concerns the endpoint. */
interface AttemptResult {
  readonly status: string;
  readonly responseStatus: number | null;
  readonly attemptedAtMs: number;
}

/**
 * Why a failed attempt disables an endpoint, or null where it does not (contract §14). It never disables a sink, whose
 * failures a test sets.
 */
export function disabledBy(
  endpoint: Endpoint,
  { responseStatus, attemptedAtMs }: Omit<AttemptResult, 'status'>,
): DisabledReason | null {
  if (isSink(endpoint)) {
    return null;
  }
  if (responseStatus === GONE) {
    return 'gone';
  }
  const { failingSinceMs } = endpoint;
  return failingSinceMs !== null && attemptedAtMs - failingSinceMs >= FAILING_MAX_MS ? 'failing' : null;
}

/** The change that attempts, in their order, make to an endpoint; null where they change nothing. */
export function noteAttempts(endpoint: Endpoint, attempts: readonly AttemptResult[]): EndpointChange | null {
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

function noteAttempt(endpoint: Endpoint, attempt: AttemptResult): Endpoint {
  if (endpoint.status === 'disabled') {
    return endpoint;
  }
  return attempt.status === 'delivered' ? noteSuccess(endpoint, attempt) : noteFailure(endpoint, attempt);
}

function noteSuccess(endpoint: Endpoint, { attemptedAtMs }: AttemptResult): Endpoint {
  const { lastSuccessAtMs, failingSinceMs } = endpoint;
  return failingSinceMs !== null || isWorthNoting(lastSuccessAtMs, attemptedAtMs)
    ? { ...endpoint, lastSuccessAtMs: later(lastSuccessAtMs, attemptedAtMs), failingSinceMs: null }
    : endpoint;
}

function noteFailure(endpoint: Endpoint, attempt: AttemptResult): Endpoint {
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

/** Whether a filter matches a type of event: the type itself, all of its resource (`payment.*`), or all (`*`). */
export function isLike(type: string, filter: string): boolean {
  return filter === ALL_EVENTS || filter === type || filter === familyOf(type);
}

/** `payment.succeeded` → `payment.*` */
export function familyOf(type: string): string {
  return type.replace(/\..*/, '.*');
}

/** The lowest free slot of `howMany` slots from `first` on, or null. */
export function freeSlot(taken: readonly Endpoint[], first: number, howMany: number): number | null {
  const slots = new Set(taken.map(({ slot }) => slot));
  const all = Array.from({ length: howMany }, (_, index) => first + index);
  return all.find((slot) => !slots.has(slot)) ?? null;
}
