import { eventOperations, viewEvent } from '../shared/contract/events.ts';
import { viewPage } from '../shared/contract/list-page.ts';
import type { PublishedEvent } from '../shared/domain/published-event.ts';
import { shownWorldId } from '../shared/domain/world.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { followEvents, listEvents } from '../shared/store/events/event-log.ts';

/** Lists events, newest first, or those that follow a sequence number. */
export const handler = serveRead(eventOperations.listEvents, async (request) => {
  const { world, query } = request;
  const view = (event: PublishedEvent) => viewEvent(event, request);
  const { afterSequence, ...list } = query;
  if (afterSequence === undefined) {
    return viewPage(await listEvents(world, list), view);
  }
  const { events, hasMore, nextSequence } = await followEvents(world, { ...list, afterSequence });
  return {
    data: events.map(view),
    has_more: hasMore,
    next_cursor: null,
    next_sequence: nextSequence,
    world: shownWorldId(world),
  };
});
