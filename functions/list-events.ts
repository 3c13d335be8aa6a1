import { eventOperations, viewEvent } from '../shared/contract/events.ts';
import { viewPage } from '../shared/contract/list-page.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listEvents } from '../shared/store/event-log.ts';

export const handler = serveRead(eventOperations.listEvents, async (request) => {
  const { world, query } = request;
  const page = await listEvents(world, query);
  return viewPage(page, (event) => viewEvent(event, request));
});
