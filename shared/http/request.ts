import type * as v from 'valibot';
import type { Operation } from '../contract/operation.ts';
import type { ApiKey } from '../domain/api-key.ts';
import type { StoredWorld } from '../store/world.ts';
import { authenticate } from './authenticate.ts';
import { type Call, callNow } from './call.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { type Input, parse } from './parse.ts';
import type { HttpResponse } from './responder.ts';

/** The type of an operation's response. */
export type ResponseBodyOf<Row extends Operation> = Row['success'] extends {
  schema: infer Schema extends v.GenericSchema;
}
  ? v.InferInput<Schema>
  : string;

/** The input of an API function: all of it checked. */
export interface Request<Row extends Operation> extends Input<Row> {
  readonly world: StoredWorld;
  /** When the call began, on the merchant's clock, in epoch milliseconds. */
  readonly nowMs: number;
  readonly key: ApiKey;
  /** The id of the caller's key. */
  readonly keyId: string;
  /** The permissions of the caller's key. */
  readonly permissions: readonly string[];
  readonly requestId: string;
  readonly baseUrl: string;
  /** The real time that this function has left, in milliseconds. */
  readonly remainingMs: () => number;
}

/**
 * Makes the Lambda function of an operation that needs a key. All checks of contract §2 run first.
 * @param run does the work; it calls `noteWorld` if it changed the world, for the response's `PG-Clock`
 */
export function keyedFunction<const Row extends Operation>(
  row: Row,
  run: (request: Request<Row>, call: Call, noteWorld: (world: StoredWorld) => void) => Promise<HttpResponse>,
): LambdaHandler {
  return frame(row, async (call, noteRequester) => {
    const caller = await authenticate(row, call, noteRequester);
    const { world, key } = caller;
    const request = {
      ...parse(row, call, world),
      world,
      nowMs: callNow(call, world),
      key,
      keyId: key.id,
      permissions: key.permissions,
      requestId: call.requestId,
      baseUrl: call.baseUrl,
      remainingMs: () => call.context.getRemainingTimeInMillis(),
    };
    return run(request, call, (after) => noteRequester({ ...caller, world: after }));
  });
}
