import { toTimestamp } from '../domain/clock.ts';
import type { DomainEvent } from '../domain/event.ts';
import type { EventType } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import type { EventView, EventViewOf, ToldBy } from './events.ts';
import { NEWEST_VERSION } from './versions.ts';
import { asSeenBy, type Viewer } from './viewer.ts';

/** An event as it was sent: the body was final when it left the outbox. */
export function viewEvent({ body }: { readonly body: string }, viewer: Viewer): EventView {
  const event: EventView = JSON.parse(body);
  Object.assign(event.data, { object: asSeenBy(viewer, event.data.object) });
  return event;
}

/** An event's body as webhooks send it: made once, when it gets its sequence number (contract §10). */
export function eventBody<Type extends EventType>(
  { mode }: Pick<World, 'mode'>,
  event: DomainEvent<Type, ToldBy<Type>>,
  sequence: number,
): string {
  return JSON.stringify({
    id: event.id,
    type: event.type,
    timestamp: toTimestamp(event.occurredAtMs),
    mode,
    api_version: NEWEST_VERSION,
    sequence,
    data: { object: event.object, previous_status: event.previousStatus },
    request: { id: event.request.id, idempotency_key: event.request.idempotencyKey },
  } satisfies EventViewOf<Type>);
}
