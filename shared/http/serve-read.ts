import type { Operation, ResponseOf } from '../contract/operation.ts';
import type { LambdaHandler } from './frame.ts';
import { sealCursor } from './list-cursor.ts';
import { keyedFunction, type Request } from './request.ts';
import { toResponse } from './responder.ts';

/** Makes the Lambda function of an operation that changes nothing: it does not load the code for idempotency. */
export function serveRead<const Row extends Operation & { readonly idempotent: false }>(
  row: Row,
  read: (request: Request<Row>) => Promise<ResponseOf<Row>>,
): LambdaHandler {
  return keyedFunction(row, async (request) => toResponse(row, sealed(row, request, await read(request))));
}

/** A page with a cursor that is bound to its list. Other responses stay as they are. */
function sealed<Row extends Operation>(
  row: Row,
  { world, params, query }: Request<Row>,
  response: ResponseOf<Row>,
): unknown {
  const { next_cursor: position }: { readonly next_cursor?: unknown } = Object(response);
  return typeof position === 'string'
    ? {
        ...Object(response),
        next_cursor: sealCursor({ row, world, params: Object(params), query }, position),
      }
    : response;
}
