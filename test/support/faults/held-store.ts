import { text } from 'node:stream/consumers';
import { passOnToStore, startProxy } from './proxy.ts';

type Refusal = 'fails' | 'is silent';

/** A proxy of a store that counts calls, holds one kind until another one has a response, or blocks some. */
export async function startHeldStore(store: string) {
  let answered: string[] = [];
  let held: { operation: string; until: Promise<void> } | null = null;
  let refusalOf: (operation: string) => Refusal | null = () => null;
  let onAnswer: (operation: string) => void = () => undefined;
  const { baseUrl: endpoint, ...between } = await startProxy(async (request, response) => {
    const body = await text(request);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const refusal = refusalOf(operation);
    if (refusal !== null) {
      if (refusal === 'fails') {
        response.writeHead(500, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
      }
      return;
    }
    if (held?.operation === operation) {
      await held.until;
    }
    const answer = await passOnToStore(store, request, body);
    response.writeHead(answer.status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(answer.text);
    answered.push(operation);
    onAnswer(operation);
  });
  return {
    ...between,
    endpoint,
    /** The operations that got a response since something was last held. */
    answered: () => answered,
    /** Counts the calls of an operation during an action. */
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
    refuse: (how: Refusal, isRefused: (operation: string) => boolean) => {
      refusalOf = (operation) => (isRefused(operation) ? how : null);
    },
    /** Passes everything on again. */
    let: () => {
      held = null;
      refusalOf = () => null;
    },
  };
}
