import type { Client } from '../../shared/client/client.ts';
import type { OperationName } from '../../shared/client/method.ts';
import { operations } from '../../shared/contract/operations.ts';
import { isMeant } from '../terminal/confirm.ts';

/**
 * A client that asks for confirmation on the terminal before its first call that changes something, in every command.
 * The method of the operation's row decides. Calls that only read need no confirmation.
 * @throws Error from such a call, which is not sent, if it is not confirmed or there is no terminal
 */
export function confirm(client: Client): Client {
  let confirmed: Promise<void> | undefined;
  const methods = Object.entries(client) as [OperationName, (...args: unknown[]) => unknown][];
  const confirming = methods.map(([name, call]) => [
    name,
    operations[name].method === 'GET'
      ? call
      : async (...args: unknown[]) => {
          confirmed ??= requireConfirmation(name);
          await confirmed;
          return call(...args);
        },
  ]);
  return Object.fromEntries(confirming);
}

async function requireConfirmation(name: string): Promise<void> {
  if (!(await isMeant(`The key is live, and ${name} changes live data.`, 'yes'))) {
    throw new Error('Nothing was changed.');
  }
}
