import type { Operation } from '../contract/operation.ts';
import { VIEW } from '../contract/views.ts';
import type { Change } from '../domain/change.ts';
import type { World } from '../domain/world.ts';
import { writesOf } from '../store/writes.ts';
import type { LambdaHandler } from './frame.ts';
import { type Claimed, idempotent, identify } from './idempotent.ts';
import { type AnswerOf, keyedFunction, type Request } from './request.ts';
import { toAnswer } from './responder.ts';

/** What a function decides: what changes, which the frame commits, and the answer. It cannot write by itself. */
export interface Decision<Row extends Operation> {
  readonly changes?: readonly Change[];
  readonly answer: AnswerOf<Row>;
  /** The world as it is afterwards, where a stepwise operation has changed it. */
  readonly world?: World;
}

/** Makes a Lambda function of a row that changes something, and of what it decides: it runs once. */
export function serve<const Row extends Operation & { readonly idempotent: true }>(
  row: Row,
  decide: (request: Request<Row> & { readonly claimed: Claimed }) => Promise<Decision<Row>>,
): LambdaHandler {
  return keyedFunction(row, (request, { event, context }, tellWorld) => {
    const outcome = async (claimed: Claimed) => {
      const { changes = [], answer, world: after } = await decide({ ...request, claimed });
      if (after !== undefined) {
        tellWorld(after);
      }
      const writes = writesOf({ ...request, world: after ?? request.world }, changes, VIEW);
      return { writes, answer: toAnswer(row, answer), ...(after && { world: after }) };
    };
    const { world, nowMs, requestId, idempotencyKey, body } = request;
    const identity = identify(idempotencyKey, event.httpMethod, event.path, body);
    return idempotent(
      { world, nowMs, identity, requestId, context, waitsForClaim: row.stepwise === true },
      outcome,
    );
  });
}
