import { eventOperations } from '../shared/contract/events.ts';
import { viewEvent } from '../shared/contract/views.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getToldEvent } from '../shared/store/told-event.ts';

/** Retrieves one event of the caller's world, as webhooks send it. */
export const handler = serveRead(eventOperations.getEvent, async (request) => {
  const { world, params } = request;
  const event = await getToldEvent(world, params.id);
  return viewEvent(event, request);
});
