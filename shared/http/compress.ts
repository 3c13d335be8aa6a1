import type { APIGatewayProxyResult } from 'aws-lambda';
import { type Call, headerOf } from './call.ts';

/** What is shorter fits into a few packets: to compress it would take longer than it saves. */
const COMPRESSED_MIN_BYTES = 8 * 1_024;
const CODING = /^\s*(?<name>[^;\s]+)\s*(?:;\s*q\s*=\s*(?<weight>[\d.]+))?\s*$/i;

/** An answer that is long, as a caller takes it: compressed, where it says so. */
export async function compress(result: APIGatewayProxyResult, call: Call): Promise<APIGatewayProxyResult> {
  if (Buffer.byteLength(result.body) < COMPRESSED_MIN_BYTES) {
    return result;
  }
  const vary = [result.headers?.Vary, 'Accept-Encoding'].filter((name) => name !== undefined).join(', ');
  const varying = { ...result, headers: { ...result.headers, Vary: vary } };
  // API Gateway makes bytes of an answer for those alone who say what they accept.
  if (!takesGzip(headerOf(call, 'accept-encoding') ?? '') || headerOf(call, 'accept') === undefined) {
    return varying;
  }
  // Here, for few answers of few functions need it, and a start should not wait for it.
  const [{ gzip }, { promisify }] = await Promise.all([import('node:zlib'), import('node:util')]);
  const bytes = await promisify(gzip)(result.body);
  return {
    ...varying,
    headers: { ...varying.headers, 'Content-Encoding': 'gzip' },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}

/** Whether a caller's Accept-Encoding (RFC 9110) takes gzip: by its name, or else by the star. */
function takesGzip(accepted: string): boolean {
  const weights = new Map(
    accepted.split(',').map((coding) => {
      const { name = '', weight = '1' } = CODING.exec(coding)?.groups ?? {};
      return [name.toLowerCase(), Number(weight)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
