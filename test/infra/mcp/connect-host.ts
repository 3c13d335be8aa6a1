import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { GUIDES } from '../../../shared/docs/guides.ts';
import { baseUrl } from '../../support/world/merchant.ts';

/** The command of the server, as the guide gives it to hosts. */
export function commandInGuide(): { command: string; args: string[] } {
  const [, json = ''] =
    GUIDES.map(({ markdown }) => /```json mcp\n(.*?)```/s.exec(markdown)).find(Boolean) ?? [];
  const { command, args } = JSON.parse(json).mcpServers.payments;
  const here = (word: string) => word.replace('/path/to/payments', process.cwd());
  return { command: here(command), args: args.map(here) };
}

/** Starts the server as a host does, at the service of the tests, and connects with it. @param more options of the command */
export async function connectHost(key: string, ...more: readonly string[]): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1' });
  const { command, args } = commandInGuide();
  const env = { PG_BASE_URL: baseUrl, PG_KEY: key };
  await client.connect(new StdioClientTransport({ command, args: [...args, ...more], env }));
  return client;
}
