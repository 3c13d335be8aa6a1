import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { Problem } from '../errors/problem.ts';
import { noteInvocation } from '../telemetry/log.ts';
import { beginCall, type Call, type NoteRequester, type Requester } from './call.ts';
import { inRequestSpan } from './request-span.ts';
import {
  type EndedCall,
  type FramedRow,
  type HttpResponse,
  type ProblemPage,
  type RecordEnd,
  responder,
  toResult,
} from './responder.ts';

/** Reserved from the function's timeout, to respond with 503 before Lambda stops the function. */
const RESPONSE_RESERVE_MS = 250;

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/**
 * Wraps every API function: responses, problems, the span, the log line, and a response before time runs out. The state of a call
 * goes through middy instead of the event, so that one wrapper serves every call.
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
  const framed = middy<CallState, APIGatewayProxyResult>({
    timeoutEarlyInMillis: RESPONSE_RESERVE_MS,
    timeoutEarlyResponse: () => {
      throw new Problem('temporarily_unavailable');
    },
  })
    .use(responder(toPage, record))
    .handler(async (state) => {
      const response = await run(state.call, (requester) => {
        state.requester = requester;
      });
      return toResult(response, state);
    });
  return (event, context) => {
    noteInvocation(context);
    const call = beginCall(event, context);
    return inRequestSpan(call, async () => framed({ row, call, requester: null }, context));
  };
}

/** A call under way. */
interface CallState extends EndedCall {
  requester: Requester | null;
}
