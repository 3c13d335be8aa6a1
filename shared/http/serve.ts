import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import type { Operation } from '../contract/operation.ts';
import type { World } from '../domain/world.ts';
import type { Change } from '../store/commit.ts';
import { authenticate } from './authenticate.ts';
import { type Call, type CallContext, type Caller, callNow, callOf } from './call.ts';
import { frame, type LambdaHandler, type Params, toAnswer } from './frame.ts';
import { identify, once } from './once.ts';
import { parse } from './parse.ts';
import type { Answer } from './responder.ts';

type OutputOf<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : Record<string, never>;
type AnswerOf<Row extends Operation> = Row['success'] extends { schema: infer Schema extends v.GenericSchema }
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
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly baseUrl: string;
  /** How much real time this function has left. */
  readonly remainingMs: () => number;
}

/** What a function decides: the writes, which the frame commits, and the answer. It cannot write by itself. */
export interface Decision<Row extends Operation> {
  readonly changes?: Row['idempotent'] extends true ? readonly Change[] : never;
  readonly answer: AnswerOf<Row>;
  /** The world as it is afterwards, where a stepwise operation has changed it. */
  readonly world?: World;
}

/** Makes a Lambda function of a row and of what it decides, with every check of contract §2 in front. */
export function serve<const Row extends Operation>(
  row: Row,
  decide: (request: Request<Row>) => Promise<Decision<Row>>,
): LambdaHandler {
  const run = async (event: APIGatewayProxyEvent, context: CallContext): Promise<Answer> => {
    const call = callOf(context);
    const { request, caller } = toRequest<Row>(call, context);
    const outcome = async () => {
      const decision = await decide(request);
      if (decision.world !== undefined) {
        call.caller = { ...caller, world: decision.world };
      }
      const { changes = [], answer, world: after } = decision;
      return { changes, answer: toAnswer(row, answer), ...(after && { world: after }) };
    };
    if (request.idempotencyKey === null) {
      return (await outcome()).answer;
    }
    const identity = identify(request.idempotencyKey, event.httpMethod, event.path, request.body);
    return once(
      {
        world: caller.world,
        identity,
        requestId: call.requestId,
        context,
        waitsForClaim: row.stepwise === true,
      },
      outcome,
    );
  };
  return frame(row)
    .use(authenticate(row))
    .use(parse(row))
    .handler(run as never) as unknown as LambdaHandler;
}

function toRequest<Row extends Operation>(
  call: Call,
  context: CallContext,
): { request: Request<Row>; caller: Caller } {
  const { caller, input, requestId, baseUrl } = call;
  if (caller === undefined || input === undefined) {
    throw new Error('authenticate and parse run before every handler');
  }
  const { world } = caller;
  const remainingMs = () => context.getRemainingTimeInMillis();
  const request = {
    world,
    nowMs: callNow(call, world),
    requestId,
    baseUrl,
    remainingMs,
    ...input,
  } as Request<Row>;
  return { request, caller };
}
