import { Webhook } from 'standardwebhooks';
import { runCommand } from '../support/tools/run-command.ts';
import type { ServiceFile } from '../support/world/host.ts';
import { startMerchantServer } from '../support/world/merchant-server.ts';

/**
 * Forwards an event of a stage to a server on this machine, as its developer does by `pg listen`.
 * @param dir for its files
 * @throws Error if the received request is not that event, or not signed with the printed secret
 */
export async function expectForwarded(
  { baseUrl, key }: Pick<ServiceFile, 'baseUrl' | 'key'>,
  dir: string,
): Promise<void> {
  const env = { ...process.env, PG_BASE_URL: baseUrl, PG_KEY: key };
  const pg = async (...args: string[]) => {
    const { stdout } = await runCommand('node', ['infra/pg/pg.ts', ...args, '--dir', dir], { env });
    return stdout.trim();
  };
  const server = await startMerchantServer();
  try {
    const secret = await pg('listen', '--print-secret');
    const { id } = JSON.parse(await pg('trigger', 'refund.succeeded', '--event-timeout', '120s', '--json'));
    await pg('listen', '--forward-to', server.url, '--events', 'refund.succeeded', '--once', '1');
    const [{ body, headers } = { body: '', headers: {} }] = server.received;
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as { id?: unknown };
    if (event.id !== id || server.received.length !== 1) {
      throw new Error(`${id} was to be forwarded, and ${server.ids().join(', ') || 'nothing'} was`);
    }
  } finally {
    await server.stop();
  }
}
