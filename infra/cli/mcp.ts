import { ConnectionError } from '../../shared/client/call-error.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { runCommand } from '../machine/command.ts';
import { CHECK_SERVICE } from './failure-fields.ts';
import { serveLines } from './mcp/serve-lines.ts';
import { createServer } from './mcp/server.ts';
import { MCP } from './options.ts';
import { type ClientConnection, connect } from './pg/service.ts';

/** @throws Error unless the service accepts the key, as one of test mode. A live key is not sent. */
async function requireTestKey({ client, isLive }: ClientConnection): Promise<void> {
  try {
    if (isLive || (await client.getKey()).mode !== 'test') {
      throw new Error('The key is live. The MCP server takes test keys alone: PG_KEY=pg_test_…');
    }
  } catch (error) {
    throw error instanceof ConnectionError ? new Error(`${error.message} ${CHECK_SERVICE}`) : error;
  }
}

runCommand(MCP, {
  '': async (values) => {
    const connection = await connect(values);
    await requireTestKey(connection);
    const document = documentAt(connection.baseUrl);
    serveLines(() => createServer(connection.client, document), process.stdin, process.stdout);
  },
});
