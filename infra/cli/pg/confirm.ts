import type { Client } from '../../../shared/client/client.ts';
import type { OperationName } from '../../../shared/client/method.ts';
import { operations } from '../../../shared/contract/operations.ts';
import { isMeant } from '../confirm.ts';

/**
 * A client that asks on the terminal before its first call that changes something, whichever command makes it: the
 * method of the operation's row decides. A call that reads is made without asking.
 * @throws Error from such a call, which is not made, where it is not meant, or where there is no terminal
 */
export function confirm(client: Client): Client {
  let asked: Promise<void> | undefined;
  const methods = Object.entries(client) as [OperationName, (...args: unknown[]) => unknown][];
  const asking = methods.map(([name, call]) => [
    name,
    operations[name].method === 'GET'
      ? call
      : async (...args: unknown[]) => {
          asked ??= ask(name);
          await asked;
          return call(...args);
        },
  ]);
  return Object.fromEntries(asking);
}

async function ask(name: string): Promise<void> {
  if (!(await isMeant(`The key is live, and ${name} changes what is real.`, 'yes'))) {
    throw new Error('Nothing was changed.');
  }
}
