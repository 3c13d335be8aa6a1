import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { Problem } from '../errors/problem.ts';
import { type Asker, beginCall, type Call, type Tell } from './call.ts';
import { type Answer, type FramedRow, type ProblemPage, responder, toResult } from './responder.ts';

/** Reserved from the function's timeout, to answer a 503 before Lambda stops the function. */
const ANSWER_RESERVE_MS = 250;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Wraps every API function: answers, problems, the log line, and an answer before time runs out. The wrapper is made anew
 * for each call, so that the state of a call is in local variables and not on Lambda's context.
 * @param run the work of a call
 * @param toPage renders problems of addresses that people open in a browser
 */
export function frame(
  row: FramedRow,
  run: (call: Call, tell: Tell) => Promise<Answer>,
  toPage?: ProblemPage,
): LambdaHandler {
  return async (event, context) => {
    const call = beginCall(event, context);
    let asker: Asker | null = null;
    const tell = (told: Asker) => {
      asker = told;
    };
    const ended = () => ({ row, call, asker });
    const framed = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
      timeoutEarlyInMillis: ANSWER_RESERVE_MS,
      timeoutEarlyResponse: () => {
        throw new Problem('temporarily_unavailable');
      },
    })
      .use(responder(ended, toPage))
      .handler(async () => toResult(await run(call, tell), ended()));
    return framed(event, context);
  };
}
