import type { Operation } from '../contract/operation.ts';
import { type BodyKind, readText } from './body.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { BODY_MAX_BYTES, type Params, parse } from './parse.ts';
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
  return frame(row, async (call) => {
    const { params } = parse(row, call, null);
    const body = readText(call, RECEIVED);
    const headers = Object.fromEntries(
      [...call.headerLines].map(([name, lines]) => [name, lines.join(', ')]),
    );
    return { ...(await receive({ params, headers, body })), contentType: JSON_TYPE };
  });
}
