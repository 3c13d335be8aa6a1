import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { eventPage } from '../shared/docs/event-page.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Documents an event type. */
export const handler = serveDocs(servicePageOperations.getEventDocs, ({ params, document, root }) =>
  eventPage(document, root, params.type),
);
