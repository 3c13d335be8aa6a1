import type { Operation } from '../contract/operation.ts';
import { VIEW } from '../contract/views.ts';
import type { Change } from '../domain/change.ts';
import type { Moment, World } from '../domain/world.ts';
import type { SteppedClaim } from '../store/claim.ts';
import { writesOf } from '../store/writes.ts';
import type { LambdaHandler } from './frame.ts';
import { idempotent, identify } from './idempotent.ts';
import { type AnswerOf, keyedFunction, type Request } from './request.ts';
import { toAnswer } from './responder.ts';

/** A function's decision: changes, which are committed for it, and the answer. A function cannot write by itself. */
export interface Decision<Row extends Operation> {
  readonly changes?: readonly Change[];
  readonly answer: AnswerOf<Row>;
  /** The world afterwards, where a stepwise operation changed it. */
  readonly world?: World;
}

/** Makes the Lambda function of an operation that changes something. It takes effect once per Idempotency-Key. */
export function serve<const Row extends Operation & { readonly idempotent: true }>(
  row: Row,
  decide: (request: Request<Row> & { readonly claim: SteppedClaim }) => Promise<Decision<Row>>,
): LambdaHandler {
  return keyedFunction(row, (request, { event, context }, tellWorld) => {
    const outcome = async (claim: SteppedClaim, moment: Moment) => {
      const { changes = [], answer, world = moment.world } = await decide({ ...request, ...moment, claim });
      tellWorld(world);
      return { writes: writesOf({ ...request, world }, changes, VIEW), answer: toAnswer(row, answer) };
    };
    const { world, nowMs, requestId, idempotencyKey, body } = request;
    const isStepwise = row.stepwise === true;
    const identity = identify(idempotencyKey, event.httpMethod, event.path, body);
    return idempotent(
      { world, nowMs, identity, requestId, context, waitsForClaim: isStepwise, isStepwise },
      outcome,
    );
  });
}
