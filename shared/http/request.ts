import type * as v from 'valibot';
import type { Operation } from '../contract/operation.ts';
import type { World } from '../domain/world.ts';
import { authenticate } from './authenticate.ts';
import { type Call, callNow } from './call.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { type Input, parse } from './parse.ts';
import type { Answer } from './responder.ts';

/** What the functions of a row answer. */
export type AnswerOf<Row extends Operation> = Row['success'] extends {
  schema: infer Schema extends v.GenericSchema;
}
  ? v.InferInput<Schema>
  : string;

/** What a function of the API is given: everything checked, nothing raw. */
export interface Request<Row extends Operation> extends Input<Row> {
  readonly world: World;
  /** The instant of this request on the merchant's clock, in epoch milliseconds. */
  readonly nowMs: number;
  /** Those of the caller's key. */
  readonly permissions: readonly string[];
  readonly requestId: string;
  readonly baseUrl: string;
  /** How much real time this function has left. */
  readonly remainingMs: () => number;
}

/**
 * Makes a Lambda function of a row that asks for a key, with every check of contract §2 in front.
 * @param run what it does; it tells of the world where that is another one afterwards, for the clock of the answer
 */
export function keyedFunction<const Row extends Operation>(
  row: Row,
  run: (request: Request<Row>, call: Call, tellWorld: (world: World) => void) => Promise<Answer>,
): LambdaHandler {
  return frame(row, async (call, tell) => {
    const caller = await authenticate(row, call, tell);
    const { world, key } = caller;
    const request = {
      ...parse(row, call, world),
      world,
      nowMs: callNow(call, world),
      permissions: key.permissions,
      requestId: call.requestId,
      baseUrl: call.baseUrl,
      remainingMs: () => call.context.getRemainingTimeInMillis(),
    };
    return run(request, call, (after) => tell({ ...caller, world: after }));
  });
}
