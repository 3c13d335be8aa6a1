import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ProblemBody } from './api.ts';

export interface RawRequest {
  readonly method?: string;
  /** Exactly these, in this order: a name may stand here twice, and `Host` may lie. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Uint8Array;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  readonly text: string;
  /** Where it is one. */
  readonly problem: ProblemBody;
}

/** Sends what `fetch` cannot: repeated header lines, any `Host`, and `HEAD` with its whole response. */
export async function sendRaw(
  address: string,
  { method = 'GET', lines, body }: RawRequest,
): Promise<RawResponse> {
  const names = lines.map(([name]) => name.toLowerCase());
  const length = Buffer.byteLength(body ?? '');
  const headers = [
    ...(names.includes('host') ? [] : ['Host', new URL(address).host]),
    ...lines.flat(),
    ...(body === undefined ? [] : ['Content-Length', String(length)]),
    'Connection',
    'close',
  ];
  const sent = request(address, { method, headers, agent: false });
  const answer = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
    sent.end(body);
  });
  const bytes = await buffer(answer);
  const answered = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct)) {
    for (const value of values) {
      answered.append(name, value);
    }
  }
  const text = bytes.toString();
  const isProblem = answered.get('content-type') === 'application/problem+json';
  return {
    status: answer.statusCode ?? 0,
    headers: answered,
    bytes,
    text,
    problem: isProblem && text !== '' ? JSON.parse(text) : undefined,
  };
}
