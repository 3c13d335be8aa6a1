import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { startPage } from '../shared/docs/start-page.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Leads to the dashboard, the documentation and the document. */
export const handler = serveDocs(servicePageOperations.getStartPage, ({ baseUrl, root }) =>
  startPage(baseUrl, root),
);
