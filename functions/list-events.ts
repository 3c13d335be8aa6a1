import { eventOperations, viewEvent } from '../shared/contract/events.ts';
import { viewPage } from '../shared/contract/list-page.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { list } from '../shared/store/list.ts';

export const handler = serveRead(eventOperations.listEvents, async (request) => {
  const { world, query } = request;
  const page = await list('event', world, query);
  return viewPage(page, (event) => viewEvent(event, request));
});
