import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import type { CallContext } from './call.ts';
import { type Answer, type FramedRow, JSON_TYPE, type ProblemPage, responder } from './responder.ts';

/** Time that is kept back from the function's timeout to answer a 503 instead of being killed. */
const ANSWER_RESERVE_MS = 250;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What every path of this shape names: `/payments/{id}` gives `{ id: string }`. */
export type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [name in Name]: string } & Params<Rest>
  : unknown;

/**
 * What stands around every function: answers, problems, the log line, and an answer before time runs out.
 * @param toPage for addresses that people see, who are told of a problem by a page
 */
export function frame(row: FramedRow, toPage?: ProblemPage) {
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult | Answer, Error, CallContext>({
    timeoutEarlyInMillis: ANSWER_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new Problem('temporarily_unavailable');
    },
  }).use(responder(row, toPage));
}

/** An answer of a row, as text. */
export function toAnswer({ success }: Operation, answer: unknown): Answer {
  return 'contentType' in success
    ? { status: success.status, contentType: success.contentType, body: String(answer) }
    : { status: success.status, contentType: JSON_TYPE, body: JSON.stringify(answer) };
}
