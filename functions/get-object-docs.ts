import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { objectPage } from '../shared/docs/object-page.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Documents an object of the API. */
export const handler = serveDocs(servicePageOperations.getObjectDocs, ({ params, document, root }) =>
  objectPage(document, root, params.name),
);
