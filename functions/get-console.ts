import { CONSOLE_HEADERS, renderConsole } from '../shared/console/page.ts';
import { consolePageOperations } from '../shared/contract/console-pages.ts';
import { servePage } from '../shared/http/serve-page.ts';

/** The interactive console. It asks this very deployment, at the address at which it was asked for. */
export const handler = servePage(
  consolePageOperations.getConsole,
  async ({ baseUrl }) => renderConsole(baseUrl),
  CONSOLE_HEADERS,
);
