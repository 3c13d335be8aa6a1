import type { PublishedEvent } from '../domain/published-event.ts';
import { EVENT_KEPT_DAYS, endOfKeeping } from '../domain/retention.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { insert } from './item.ts';
import { eventIndexes, keyOf, worldKey } from './keys.ts';
import { TABLE } from './table.ts';
import { asRead } from './world.ts';

/** Stores an event that leaves the outbox. */
export function insertPublishedEvent(world: World, event: PublishedEvent, realNowMs: number): Write {
  return insert({
    [TABLE.ttl]: endOfKeeping(EVENT_KEPT_DAYS, realNowMs),
    ...keyOf('event', world, event.id),
    ...eventIndexes(world, event.sequence, event.resourceId),
    ...event,
  });
}

/** Takes the next sequence numbers, if nobody has taken them since the world was read: the fence of the outbox. */
export function takeSequences(world: World, count: number): Write {
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
