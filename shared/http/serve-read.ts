import type { Operation } from '../contract/operation.ts';
import type { LambdaHandler } from './frame.ts';
import { type AnswerOf, keyedFunction, type Request } from './request.ts';
import { toAnswer } from './responder.ts';

/** Makes the Lambda function of an operation that changes nothing: it does not load the code for idempotency. */
export function serveRead<const Row extends Operation & { readonly idempotent: false }>(
  row: Row,
  read: (request: Request<Row>) => Promise<AnswerOf<Row>>,
): LambdaHandler {
  return keyedFunction(row, async (request) => toAnswer(row, await read(request)));
}
