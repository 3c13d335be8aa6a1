import type { Operation } from '../contract/operation.ts';
import type { LambdaHandler } from './frame.ts';
import { type AnswerOf, keyedFunction, type Request } from './request.ts';
import { toAnswer } from './responder.ts';

/** Makes a Lambda function of a row that changes nothing: it starts without the code that runs a request once. */
export function serveRead<const Row extends Operation & { readonly idempotent: false }>(
  row: Row,
  read: (request: Request<Row>) => Promise<AnswerOf<Row>>,
): LambdaHandler {
  return keyedFunction(row, async (request) => toAnswer(row, await read(request)));
}
