import type { Operation } from '../contract/operation.ts';
import { type BodyKind, readText } from './body.ts';
import { frame, type LambdaHandler } from './frame.ts';
import { BODY_MAX_BYTES, type Params, parse } from './parse.ts';
import { type HttpResponse, JSON_TYPE } from './responder.ts';

const RECEIVED = {
  mediaType: null,
  maxBytes: BODY_MAX_BYTES,
  malformed: 'malformed_request',
} as const satisfies BodyKind;

/** An unchecked request, whose sender does not follow this API's contract. */
export interface RawRequest<Row extends Operation> {
  readonly params: Params<Row['path']>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes the Lambda function that receives deliveries or notifications and chooses the status of its response. */
export function serveReceiver<const Row extends Operation>(
  row: Row,
  receive: (request: RawRequest<Row>) => Promise<Pick<HttpResponse, 'status' | 'headers' | 'body'>>,
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
