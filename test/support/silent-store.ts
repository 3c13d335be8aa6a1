import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** Stands in front of a store, and never answers calls of some kinds: the connection stays, and nothing comes. */
export async function startSilentStore(store: string) {
  let silentTo: (operation: string) => boolean = () => false;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    if (silentTo(operation)) {
      return;
    }
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
    const answer = await fetch(store, { method: 'POST', headers: headers as Record<string, string>, body });
    const type = { 'Content-Type': 'application/x-amz-json-1.0' };
    response.writeHead(answer.status, type).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    beSilentTo: (isSilent: (operation: string) => boolean) => {
      silentTo = isSilent;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
