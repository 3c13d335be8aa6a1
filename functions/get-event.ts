import { eventOperations, viewEvent } from '../shared/contract/events.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { getEvent } from '../shared/store/events/event-log.ts';

/** Retrieves one event, as the same text that webhooks send. */
export const handler = serveRead(eventOperations.getEvent, async (request) => {
  const { world, params } = request;
  const event = await getEvent(world, params.id);
  return viewEvent(event, request);
});
