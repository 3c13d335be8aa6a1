import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { Problem } from '../errors/problem.ts';
import { beginCall, type Call, type NoteRequester, type Requester } from './call.ts';
import {
  type FramedRow,
  type HttpResponse,
  type ProblemPage,
  type RecordEnd,
  responder,
  toResult,
} from './responder.ts';

/** Reserved from the function's timeout, to respond with 503 before Lambda stops the function. */
const ANSWER_RESERVE_MS = 250;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Wraps every API function: responses, problems, the log line, and a response before time runs out. Each call gets its
 * own wrapper, so that the state of a call is in local variables and not on Lambda's context.
 * @param run the work of a call
 * @param toPage renders problems of addresses that people open in a browser
 * @param record keeps how a call ended
 */
export function frame(
  row: FramedRow,
  run: (call: Call, noteRequester: NoteRequester) => Promise<HttpResponse>,
  toPage?: ProblemPage,
  record?: RecordEnd,
): LambdaHandler {
  return async (event, context) => {
    const call = beginCall(event, context);
    let requester: Requester | null = null;
    const noteRequester = (noted: Requester) => {
      requester = noted;
    };
    const ended = () => ({ row, call, requester });
    const framed = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
      timeoutEarlyInMillis: ANSWER_RESERVE_MS,
      timeoutEarlyResponse: () => {
        throw new Problem('temporarily_unavailable');
      },
    })
      .use(responder(ended, toPage, record))
      .handler(async () => toResult(await run(call, noteRequester), ended()));
    return framed(event, context);
  };
}
