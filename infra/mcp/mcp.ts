import { documentAt } from '../../shared/docs/service-document.ts';
import type { PgRun } from '../terminal/pg-command.ts';
import { serveLines } from './serve-lines.ts';
import { createServer } from './server.ts';
import { chosenGroups } from './tool-groups.ts';

/**
 * Serves MCP until standard input ends.
 * @throws UsageError for a group of tools that there is not
 * @throws Error unless the service accepts the key, as one of test mode. A live key is not sent.
 */
export async function serveMcp(run: Pick<PgRun, 'client' | 'key' | 'baseUrl' | 'values'>): Promise<void> {
  const { client, key, baseUrl, values } = run;
  const groups = chosenGroups(values.groups);
  if (key.startsWith('pg_live_') || (await client.getKey()).mode !== 'test') {
    throw new Error('The key is live. The MCP server takes test keys alone: PG_KEY=pg_test_…');
  }
  const service = { client, key, baseUrl };
  const document = documentAt(baseUrl);
  serveLines(() => createServer(service, document, groups), process.stdin, process.stdout);
}
