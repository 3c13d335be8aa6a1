import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Operation } from '../contract/operation.ts';
import { type BodyKind, readText } from './body.ts';
import { type CallContext, callOf } from './call.ts';
import { frame, type LambdaHandler, type Params } from './frame.ts';
import { BODY_MAX_BYTES, parse } from './parse.ts';
import { type Answer, JSON_TYPE } from './responder.ts';

const RECEIVED = {
  mediaType: null,
  maxBytes: BODY_MAX_BYTES,
  malformed: 'malformed_request',
} as const satisfies BodyKind;

/** A request that is taken as it comes: whoever sends it follows a contract of their own. */
export interface RawRequest<Row extends Operation> {
  readonly params: Params<Row['path']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes a Lambda function of a row that receives what others send, and decides on the status itself. */
export function serveReceiver<const Row extends Operation>(
  row: Row,
  receive: (request: RawRequest<Row>) => Promise<Pick<Answer, 'status' | 'headers' | 'body'>>,
): LambdaHandler {
  const run = async (event: APIGatewayProxyEvent, context: CallContext): Promise<Answer> => {
    const call = callOf(context);
    const params = call.input?.params as Params<Row['path']>;
    const body = readText(event, call, RECEIVED);
    const headers = Object.fromEntries(
      [...call.headerLines].map(([name, lines]) => [name, lines.join(', ')]),
    );
    return { ...(await receive({ params, headers, body })), contentType: JSON_TYPE };
  };
  return frame(row)
    .use(parse(row))
    .handler(run as never) as unknown as LambdaHandler;
}
