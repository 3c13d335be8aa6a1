import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { operationPage } from '../shared/docs/operation-page.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Documents an operation. */
export const handler = serveDocs(servicePageOperations.getOperationDocs, ({ params, document, root }) =>
  operationPage(document, root, params.operation),
);
