import { hasSecret, type Operation, type ResponseOf } from '../contract/operation.ts';
import { asSeenBy, mayUsePages, type Viewer } from '../contract/viewer.ts';
import { VIEW } from '../contract/views.ts';
import type { Change } from '../domain/change.ts';
import { invalidFields } from '../errors/problem.ts';
import type { SteppedClaim } from '../store/requests/claim.ts';
import type { Moment, StoredWorld } from '../store/worlds/world.ts';
import { writesOf } from '../store/writes.ts';
import type { LambdaHandler } from './frame.ts';
import { idempotent, identify } from './idempotent.ts';
import { keyedFunction, type Request } from './request.ts';
import { type HttpResponse, JSON_TYPE, toResponse } from './responder.ts';

/** A function's decision: the response, and the changes that `serve` commits. A function cannot write by itself. */
export interface Decision<Row extends Operation> {
  readonly changes?: readonly Change[];
  readonly response: ResponseOf<Row>;
  /** The world afterwards, if a stepwise operation changed it. */
  readonly world?: StoredWorld;
}

/** Makes the Lambda function of an operation with effects. These happen once per Idempotency-Key. */
export function serve<const Row extends Operation & { readonly idempotent: true }>(
  row: Row,
  decide: (request: Request<Row> & { readonly claim: SteppedClaim }) => Promise<Decision<Row>>,
): LambdaHandler {
  return keyedFunction(row, async (request, { event, context }, report) => {
    const outcome = async (claim: SteppedClaim, moment: Moment) => {
      // Not before: a retry is answered as the first request was.
      if (request.errorsNow.length > 0) {
        throw invalidFields(request.errorsNow);
      }
      const { changes = [], response, world = moment.world } = await decide({ ...request, ...moment, claim });
      report.changedWorld(world);
      return { writes: writesOf({ ...request, world }, changes, VIEW), response: toResponse(row, response) };
    };
    const { world, nowMs, requestId, idempotencyKey, wireBody } = request;
    const identity = identify(idempotencyKey, event.httpMethod, event.path, wireBody);
    const response = await idempotent(
      {
        world,
        nowMs,
        identity,
        requestId,
        context,
        isStepwise: row.stepwise === true,
        secretFor: hasSecret(row) ? request.keyId : null,
        besideCommit: report.outcome,
      },
      outcome,
    );
    return response.replayOf === undefined ? response : asReplayedTo(request, response);
  });
}

/** A replay as its key may see it: another key may have made the request, and have seen the payer's page (contract §5). */
function asReplayedTo(viewer: Viewer, response: HttpResponse): HttpResponse {
  return mayUsePages(viewer) || response.contentType !== JSON_TYPE
    ? response
    : { ...response, body: JSON.stringify(asSeenBy(viewer, JSON.parse(response.body) as object)) };
}
