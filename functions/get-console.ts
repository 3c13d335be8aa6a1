import { consolePageOperations } from '../shared/contract/console-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';
import { CONSOLE_HEADERS, renderConsole } from '../shared/pages/console/page.ts';

/** The interactive console. It asks this very deployment, at the address at which it was asked for. */
export const handler = servePage(
  consolePageOperations.getConsole,
  async ({ baseUrl }) => renderConsole(baseUrl),
  CONSOLE_HEADERS,
);
