import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { buildPostmanCollection } from '../shared/docs/postman-collection.ts';
import { documentAt } from '../shared/docs/service-document.ts';
import { FOR_EVERY_ORIGIN, servePage } from '../shared/http/serve-page.ts';

/** Every request of the document as a Postman collection, with this deployment's address. */
export const handler = servePage(
  servicePageOperations.getPostmanCollection,
  async ({ baseUrl }) => JSON.stringify(buildPostmanCollection(documentAt(baseUrl))),
  FOR_EVERY_ORIGIN,
);
