import type { Client } from '../../shared/client/client.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { serveLines } from './serve-lines.ts';
import { createServer } from './server.ts';

/** Where agents call the API, and as whom. */
interface McpService {
  readonly client: Client;
  readonly key: string;
  readonly baseUrl: string;
}

/** @throws Error unless the service accepts the key, as one of test mode. A live key is not sent. */
export async function serveMcp({ client, key, baseUrl }: McpService): Promise<void> {
  if (key.startsWith('pg_live_') || (await client.getKey()).mode !== 'test') {
    throw new Error('The key is live. The MCP server takes test keys alone: PG_KEY=pg_test_…');
  }
  const document = documentAt(baseUrl);
  serveLines(() => createServer(client, document), process.stdin, process.stdout);
}
