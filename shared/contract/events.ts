import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { DomainEvent } from '../domain/event.ts';
import type { PublishedEvent } from '../domain/published-event.ts';
import { EVENT_TYPES, type EventType, type EventTypeOf, type ReportedName } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { type AnySchema, component, idResponse, int64, soughtId, timestamp } from './fields.ts';
import { pageOf, pageQuery } from './list-page.ts';
import { type Operation, READ } from './operation.ts';
import { NEWEST_VERSION } from './versions.ts';
import { asSeenBy, type Viewer } from './viewer.ts';
import type { ViewOf } from './views.ts';

const type = component('EventType', v.picklist(EVENT_TYPES));

const WHOLE_NUMBER = /^-?\d{1,16}$/;
/** A sequence number in a query, where every value is text. */
const sequenceInQuery = v.pipe(
  v.string(),
  v.metadata({ type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  v.check((value) => WHOLE_NUMBER.test(value)),
  v.transform(Number),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
);

const event = v.object({
  id: idResponse('evt'),
  type,
  timestamp,
  mode: v.string(),
  api_version: v.string(),
  sequence: int64,
  data: component(
    'EventData',
    v.object({ object: v.record(v.string(), v.unknown()), previous_status: v.nullable(v.string()) }),
  ),
  request: component(
    'EventRequest',
    v.object({ id: v.nullable(v.string()), idempotency_key: v.nullable(v.string()) }),
  ),
});

/** The view that events of a type carry as `data.object`. */
export type EventObjectOf<Type extends EventType> = ViewOf<
  { [Name in ReportedName]: Type extends EventTypeOf<Name> ? Name : never }[ReportedName]
>;

type AnyEvent = v.InferInput<typeof event>;

/** An event of one type, exactly as webhooks send it (contract §10). */
interface EventViewOf<Type extends EventType> extends Omit<AnyEvent, 'type' | 'data'> {
  readonly type: Type;
  readonly data: { readonly object: EventObjectOf<Type>; readonly previous_status: string | null };
}

/** An event. Its type determines the type of `data.object`. */
export type EventView = { [Type in EventType]: EventViewOf<Type> }[EventType];

// One schema for every type: `eventSchemas` describes the object of each.
const eventResponse: v.GenericSchema<EventView> = event as AnySchema;

/** A page of the list. Only pages with `after_sequence` have the optional fields. */
const eventPageResponse = v.object({
  ...pageOf(eventResponse).entries,
  next_sequence: v.optional(int64),
  world: v.optional(v.string()),
});

export const eventOperations = {
  getEvent: {
    ...READ,
    id: 'events.GetEvent',
    path: '/api/v1/events/{id}',
    permission: 'event.read',
    reads: ['events'],
    success: { status: 200, name: 'Event', schema: eventResponse },
    errors: ['event_not_found'],
  },
  listEvents: {
    ...READ,
    id: 'events.ListEvents',
    path: '/api/v1/events',
    permission: 'event.read',
    reads: ['events', 'events-of-resource'],
    query: v.pipe(
      v.strictObject({
        ...pageQuery,
        after_sequence: v.optional(sequenceInQuery),
        type: v.optional(type),
        resource_id: v.optional(soughtId),
      }),
      v.forward(
        v.partialCheck(
          [['after'], ['after_sequence']],
          (query) => query.after === undefined || query.after_sequence === undefined,
          'conflict: cannot be combined with after_sequence, which lists in the other direction',
        ),
        ['after'],
      ),
    ),
    success: { status: 200, name: 'EventPage', schema: eventPageResponse },
  },
} as const satisfies Record<string, Operation>;

/** An event as it was sent. Its body is final: only the addresses of payers' pages can be left out. */
export function viewEvent({ body }: { readonly body: string }, viewer: Viewer): EventView {
  const event: EventView = JSON.parse(body);
  Object.assign(event.data, { object: asSeenBy(viewer, event.data.object) });
  return event;
}

/** An event as an endpoint receives it, the same at each attempt; without addresses of payers' pages if it may not see them. */
export function asDeliveredTo(
  { seesPages }: Pick<Endpoint, 'seesPages'>,
  event: PublishedEvent,
): PublishedEvent {
  return seesPages === false ? { ...event, body: withoutPages(event) } : event;
}

/** The body of an event without the addresses of payers' pages. */
export function withoutPages(event: { readonly body: string }): string {
  return JSON.stringify(viewEvent(event, { permissions: [] }));
}

/** The type of the event that tests an endpoint. It has no sequence number and is in no list (contract §14). */
export const PING = 'webhook.ping';

/** The body of a ping: its object is the endpoint. */
export interface PingView extends Omit<AnyEvent, 'type' | 'data' | 'sequence'> {
  readonly type: typeof PING;
  readonly data: { readonly object: { readonly id: string }; readonly previous_status: string | null };
}

/** The body of a ping. @param atMs on the merchant's clock */
export function pingBody(
  { mode }: Pick<World, 'mode'>,
  id: string,
  endpointId: string,
  atMs: number,
  request: AnyEvent['request'],
): string {
  return JSON.stringify({
    id,
    type: PING,
    timestamp: toTimestamp(atMs),
    mode,
    api_version: NEWEST_VERSION,
    data: { object: { id: endpointId }, previous_status: null },
    request,
  } satisfies PingView);
}

/** The body of an event as webhooks send it. It is built once, when the event gets its sequence number (contract §10). */
export function eventBody<Type extends EventType>(
  { mode }: Pick<World, 'mode'>,
  event: DomainEvent<Type, EventObjectOf<Type>>,
  id: string,
  sequence: number,
): string {
  return JSON.stringify({
    id,
    type: event.type,
    timestamp: toTimestamp(event.occurredAtMs),
    mode,
    api_version: NEWEST_VERSION,
    sequence,
    data: { object: event.object, previous_status: event.previousStatus },
    request: { id: event.request.id, idempotency_key: event.request.idempotencyKey },
  } satisfies EventViewOf<Type>);
}
