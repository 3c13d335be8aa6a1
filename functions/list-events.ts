import { eventOperations } from '../shared/contract/events.ts';
import { viewEvent, viewPage } from '../shared/contract/views.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listPublishedEvents } from '../shared/store/published-event.ts';

/** Lists the events of the caller's world, newest first. */
export const handler = serveRead(eventOperations.listEvents, async (request) => {
  const { world, query } = request;
  const page = await listPublishedEvents(world, query);
  return viewPage(page, (event) => viewEvent(event, request));
});
