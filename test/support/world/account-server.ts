import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Stripe that knows accounts by their keys, and nothing else. */
export interface AccountServer {
  /** What `STRIPE_API_URL` names. */
  readonly origin: string;
  /** The keys of the requests. */
  readonly requests: string[];
  /** From now on, this key is of this account; of none, where it is null. */
  open(secretKey: string, account: string | null): void;
  stop(): Promise<void>;
}

export async function startAccountServer(): Promise<AccountServer> {
  const accounts = new Map<string, string | null>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const key = String(request.headers.authorization).replace('Bearer ', '');
    requests.push(key);
    const account = request.url === '/v1/account' ? accounts.get(key) : undefined;
    const body =
      typeof account === 'string'
        ? { id: account, object: 'account' }
        : { error: { type: 'invalid_request_error', message: `Invalid API Key provided: ${key}` } };
    const status = typeof account === 'string' ? 200 : 401;
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    open: (secretKey, account) => accounts.set(secretKey, account),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
