import { ConnectionError } from '../../shared/client/call-error.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { runCommand } from '../terminal/command.ts';
import { CHECK_SERVICE } from '../terminal/failure-fields.ts';
import { MCP } from '../terminal/options.ts';
import { type ClientConnection, connect } from '../terminal/service.ts';
import { serveLines } from './serve-lines.ts';
import { createServer } from './server.ts';

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
