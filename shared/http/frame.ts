import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { Problem } from '../errors/problem.ts';
import { type Asker, beginCall, type Call, type Tell } from './call.ts';
import { type Answer, type FramedRow, type ProblemPage, responder, toResult } from './responder.ts';

/** Time that is kept back from the function's timeout to answer a 503 instead of being killed. */
const ANSWER_RESERVE_MS = 250;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * What stands around every function: answers, problems, the log line, and an answer before time runs out. It is put around
 * each call anew, so that what is known of a call is in values of its own and nothing is hung on Lambda's context.
 * @param run the steps of a call, one after the other
 * @param toPage for addresses that people see, who are told of a problem by a page
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
