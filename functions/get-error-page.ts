import { servedOperations } from '../shared/contract/operations.ts';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { isErrorCode } from '../shared/errors/catalogue.ts';
import { Problem } from '../shared/errors/problem.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { renderErrorPage } from '../shared/pages/error-page.ts';

/** Shows the page at the address in a problem's `type`. */
export const handler = servePage(servicePageOperations.getErrorPage, async ({ params }) => {
  if (!isErrorCode(params.code)) {
    throw new Problem('route_not_found');
  }
  return renderErrorPage(params.code, servedOperations());
});
