import { EVENT_KEPT_DAYS, endOfKeeping } from '../domain/retention.ts';
import type { World } from '../domain/world.ts';
import { found } from '../errors/problem.ts';
import type { Change } from './commit.ts';
import { findEntity, type Item, insert } from './item.ts';
import { eventIndexes, eventKey, toldPk, worldKey } from './keys.ts';
import { type ListSource, listPage, newestFirst, type Page, type PageRequest } from './list.ts';
import { TABLE } from './table.ts';
import { asRead } from './world.ts';

/** An event that has left the outbox: it has its sequence number, and its body is final to the byte. */
export interface PublishedEvent {
  readonly id: string;
  readonly type: string;
  readonly resourceId: string;
  readonly sequence: number;
  /** What is sent, signed and shown: JSON. */
  readonly body: string;
}

export function insertPublishedEvent(world: World, event: PublishedEvent, realNowMs: number): Change {
  return insert({
    [TABLE.ttl]: endOfKeeping(EVENT_KEPT_DAYS, realNowMs),
    ...eventKey(world, event.id),
    ...eventIndexes(world, event.sequence, event.resourceId),
    ...event,
  });
}

/** Takes the next sequence numbers, if nobody has taken them since they were read: the fence of the outbox. */
export function takeSequences(world: World, count: number): Change {
  return {
    update: {
      key: worldKey(world.id),
      expression: 'SET eventCount = :next',
      condition: `epoch = :epoch AND ${asRead('eventCount', world.eventCount)}`,
      values: {
        ':next': world.eventCount + count,
        ':epoch': world.epoch,
        ':eventCount': world.eventCount,
      },
    },
  };
}

/**
 * @throws Problem `event_not_found`
 */
export async function getPublishedEvent(world: World, id: string): Promise<PublishedEvent> {
  return found(await findPublishedEvent(world, id), 'event_not_found');
}

export function findPublishedEvent(world: World, id: string): Promise<PublishedEvent | null> {
  return findEntity('evt', id, eventKey(world, id), toPublishedEvent);
}

export interface EventFilter extends PageRequest {
  readonly type?: string | undefined;
  readonly resource_id?: string | undefined;
}

/** One page of events, newest first. */
export function listPublishedEvents(world: World, filter: EventFilter): Promise<Page<PublishedEvent>> {
  const { type, resource_id: resourceId } = filter;
  const source: ListSource =
    resourceId === undefined
      ? newestFirst(world, 'EVENTS', world.eventCount)
      : { index: 'related', newestBlock: 0, partitionOf: () => toldPk(world, resourceId) };
  return listPage(
    source,
    filter,
    toPublishedEvent,
    type === undefined ? undefined : (event) => event.type === type,
  );
}

function toPublishedEvent(item: Item): PublishedEvent {
  return item as unknown as PublishedEvent;
}
