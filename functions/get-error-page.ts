import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { errorPage } from '../shared/docs/error-pages.ts';
import { serveDocs } from '../shared/http/serve-docs.ts';

/** Shows the page at the address in a problem's `type`. */
export const handler = serveDocs(servicePageOperations.getErrorPage, ({ params, document, root }) =>
  errorPage(document, root, params.code),
);
