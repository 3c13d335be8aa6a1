import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import type { Operation } from '../contract/operation.ts';
import type { World } from '../domain/world.ts';
import { authenticate } from './authenticate.ts';
import { type CallContext, callNow, callOf } from './call.ts';
import { frame, type LambdaHandler, type Params } from './frame.ts';
import { parse } from './parse.ts';
import type { Answer } from './responder.ts';

type OutputOf<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : Record<string, never>;

/** What the functions of a row answer. */
export type AnswerOf<Row extends Operation> = Row['success'] extends {
  schema: infer Schema extends v.GenericSchema;
}
  ? v.InferInput<Schema>
  : string;

/** What a function of the API is given: everything checked, nothing raw. */
export interface Request<Row extends Operation> {
  readonly world: World;
  /** The instant of this request on the merchant's clock, in epoch milliseconds. */
  readonly nowMs: number;
  readonly params: Params<Row['path']>;
  readonly query: OutputOf<Row['query']>;
  readonly body: OutputOf<Row['body']>;
  /** Those of the caller's key. */
  readonly permissions: readonly string[];
  readonly requestId: string;
  /** Null where the row takes none. */
  readonly idempotencyKey: string | null;
  readonly baseUrl: string;
  /** How much real time this function has left. */
  readonly remainingMs: () => number;
}

/** Makes a Lambda function of a row that asks for a key, with every check of contract §2 in front. */
export function keyedFunction(
  row: Operation,
  run: (event: APIGatewayProxyEvent, context: CallContext) => Promise<Answer>,
): LambdaHandler {
  return frame(row)
    .use(authenticate(row))
    .use(parse(row))
    .handler(run as never) as unknown as LambdaHandler;
}

/** The request of a call that has passed the checks. */
export function toRequest<Row extends Operation>(context: CallContext): Request<Row> {
  const call = callOf(context);
  const { caller, input, requestId, baseUrl } = call;
  if (caller === undefined || input === undefined) {
    throw new Error('authenticate and parse run before every handler');
  }
  const { world, key } = caller;
  const remainingMs = () => context.getRemainingTimeInMillis();
  return {
    world,
    nowMs: callNow(call, world),
    permissions: key.permissions,
    requestId,
    baseUrl,
    remainingMs,
    ...input,
  } as Request<Row>;
}
