import { renderConsole } from '../shared/console/frame/page.ts';
import { servicePageOperations } from '../shared/contract/service-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** The interactive console. It calls the deployment that served it. */
export const handler = servePage(servicePageOperations.getConsole, async ({ baseUrl }) =>
  renderConsole(baseUrl),
);
