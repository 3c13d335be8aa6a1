import type { Operation } from '../contract/operation.ts';
import type { LambdaHandler } from './frame.ts';
import { keyedFunction, type Request, type ResponseBodyOf } from './request.ts';
import { toResponse } from './responder.ts';

/** Makes the Lambda function of an operation that changes nothing: it does not load the code for idempotency. */
export function serveRead<const Row extends Operation & { readonly idempotent: false }>(
  row: Row,
  read: (request: Request<Row>) => Promise<ResponseBodyOf<Row>>,
): LambdaHandler {
  return keyedFunction(row, async (request) => toResponse(row, await read(request)));
}
