import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Refusal = 'fails' | 'is silent';

/** Stands in front of a store: counts calls, holds one kind until another was answered, or does not let it through. */
export async function startHeldStore(store: string) {
  let answered: string[] = [];
  let held: { operation: string; until: Promise<void> } | null = null;
  let refused: { operation: string; how: Refusal } | null = null;
  let onAnswer: (operation: string) => void = () => undefined;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    if (refused?.operation === operation) {
      if (refused.how === 'fails') {
        response.writeHead(500, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
      }
      return;
    }
    if (held?.operation === operation) {
      await held.until;
    }
    const { host: _, 'content-length': __, connection: ___, ...headers } = request.headers;
    const answer = await fetch(store, { method: 'POST', headers: headers as Record<string, string>, body });
    const said = await answer.text();
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(said);
    answered.push(operation);
    onAnswer(operation);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The operations that were answered since something was last held. */
    answered: () => answered,
    /** How many calls of an operation an act comes to. */
    callsOf: async (operation: string, act: () => Promise<unknown>): Promise<number> => {
      answered = [];
      await act();
      return answered.filter((name) => name === operation).length;
    },
    holdUntil: (operation: string, other: string) => {
      const until = Promise.withResolvers<void>();
      answered = [];
      held = { operation, until: until.promise };
      onAnswer = (name) => name === other && until.resolve();
    },
    refuse: (operation: string, how: Refusal) => {
      refused = { operation, how };
    },
    /** Lets everything through again. */
    let: () => {
      held = null;
      refused = null;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
