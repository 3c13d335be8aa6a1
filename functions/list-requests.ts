import { viewPage } from '../shared/contract/list-page.ts';
import { requestLogOperations, viewLoggedRequest } from '../shared/contract/testkit/request-log.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { listRequests } from '../shared/store/requests/request-log.ts';

/** Lists the requests of a test world, newest first. */
export const handler = serveRead(requestLogOperations.listRequests, async (request) => {
  const { world, query } = request;
  return viewPage(await listRequests(world, query), (logged) => viewLoggedRequest(logged, request));
});
