import type { Operation } from '../contract/operation.ts';
import type { ApiKey } from '../domain/api-key.ts';
import type { StoredWorld } from '../store/worlds/world.ts';
import { authenticate } from './authenticate.ts';
import { type Call, callNow, type NoteRequester } from './call.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { type Input, parse } from './parse.ts';
import { recordRequest } from './request-log.ts';
import type { CallOutcome, HttpResponse } from './responder.ts';

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

/** The reports of a function while it works. */
interface Reporter {
  /** It changed the world: for the response's `PG-Clock`. */
  readonly changedWorld: (world: StoredWorld) => void;
  /** The commit that follows, for the log of requests. Never rejects. */
  readonly outcome: (outcome: CallOutcome) => Promise<void>;
}

/**
 * Makes the Lambda function of an operation that needs a key. All checks of contract §2 run first.
 * @param run does the work, and reports what others need to know of it
 */
export function keyedFunction<const Row extends Operation>(
  row: Row,
  run: (request: Request<Row>, call: Call, report: Reporter) => Promise<HttpResponse>,
): LambdaHandler {
  const steps = async (call: Call, noteRequester: NoteRequester) => {
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
    let current = caller;
    return run(request, call, {
      changedWorld: (after) => {
        current = { ...caller, world: after };
        noteRequester(current);
      },
      outcome: (outcome) => recordRequest({ row, call, requester: current }, outcome),
    });
  };
  return frame(row, steps, undefined, recordRequest);
}
