import type { APIGatewayProxyResult } from 'aws-lambda';
import { isStandInGateway } from '../contract/stand-in-gateway.ts';
import { acceptedIn } from './accepted.ts';
import { type Call, headerOf } from './call.ts';

/** Shorter responses fit into a few packets: compressing them would take longer than it saves. */
const COMPRESSED_MIN_BYTES = 8 * 1_024;

/** Compresses a long response for callers that accept gzip. */
export async function compress(result: APIGatewayProxyResult, call: Call): Promise<APIGatewayProxyResult> {
  if (Buffer.byteLength(result.body) < COMPRESSED_MIN_BYTES || isStandInGateway()) {
    return result;
  }
  const vary = [result.headers?.Vary, 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  const varying = { ...result, headers: { ...result.headers, Vary: vary } };
  // API Gateway decodes a base64 body only for requests with an Accept header.
  if (!takesGzip(headerOf(call, 'accept-encoding') ?? '') || headerOf(call, 'accept') === undefined) {
    return varying;
  }
  // Imported here, so that cold starts do not load what few responses need.
  const [{ gzip }, { promisify }] = await Promise.all([import('node:zlib'), import('node:util')]);
  const bytes = await promisify(gzip)(result.body);
  return {
    ...varying,
    headers: { ...varying.headers, 'Content-Encoding': 'gzip' },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}

/** Whether an Accept-Encoding header accepts gzip, by name or by `*`. */
function takesGzip(accepted: string): boolean {
  const weights = acceptedIn(accepted);
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
