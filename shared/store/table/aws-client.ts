import { randomUUID } from 'node:crypto';
import type { HandlerExecutionContext, Logger, MiddlewareStack } from '@smithy/types';

const ignore = () => undefined;

/** What every client of AWS's SDK is made with. A call takes milliseconds: if nothing comes for seconds, a retry is better. */
export const AWS_OPTIONS = {
  maxAttempts: 3,
  // Without `info`, for which the SDK copies what every call sent and got.
  logger: { debug: ignore, warn: console.warn, error: ignore } as Omit<Logger, 'info'> as Logger,
  requestHandler: {
    connectionTimeout: 1_000,
    requestTimeout: 3_000,
    // Otherwise it only warns.
    throwOnRequestTimeout: true,
    // Limits silence in the middle of a response, or of TLS.
    socketTimeout: 3_000,
    // To wait for one of them counts as connecting: callers limit how much they send at once.
    httpAgent: { maxSockets: 1_000 },
    httpsAgent: { maxSockets: 1_000 },
  },
};

/** One attempt at a call. @internal */
export interface AwsCall {
  /** `GetItem` */
  readonly operation: string;
  /** With plain values. */
  readonly input: object;
  /** What the caller names the call: it is not sent. */
  readonly step: string | undefined;
}

/**
 * Stands around every attempt at a call, within the client's retries: it may hold the attempt, fail, or change the
 * output. What it throws is retried as if the service had failed so.
 */
export type Interceptor = (call: AwsCall, next: () => Promise<object>) => Promise<object>;

const steps = new WeakMap<object, string>();

/** Names a call, for interceptors. @returns its input */
export function named<Input extends object>(input: Input, step: string | undefined): Input {
  if (step !== undefined) {
    steps.set(input, step);
  }
  return input;
}

/**
 * Adds an interceptor to a client, within those that it has. The one seam for what stands between this code and AWS:
 * permissions at the local host, and in tests faults, counts and holds.
 * @returns removes it
 */
export function interceptCalls<Input extends object, Output extends object>(
  { middlewareStack }: { readonly middlewareStack: MiddlewareStack<Input, Output> },
  interceptor: Interceptor,
): () => void {
  const calls = new WeakMap<HandlerExecutionContext, AwsCall>();
  const name = `interceptor ${randomUUID()}`;
  // Before a document client converts the values of the input.
  middlewareStack.add(
    (next, context) => (args) => {
      const operation = String(context.commandName).replace(/Command$/, '');
      calls.set(context, { operation, input: args.input, step: steps.get(args.input) });
      return next(args);
    },
    { step: 'initialize', priority: 'high', name: `${name}, input` },
  );
  middlewareStack.add(
    (next, context) => async (args) => {
      let response: unknown;
      const output = await interceptor(calls.get(context) as AwsCall, async () => {
        const result = await next(args);
        response = result.response;
        return result.output;
      });
      return { response, output: output as Output };
    },
    { step: 'finalizeRequest', priority: 'low', name },
  );
  return () => {
    middlewareStack.remove(`${name}, input`);
    middlewareStack.remove(name);
  };
}
