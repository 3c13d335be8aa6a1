import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect } from 'vitest';
import { errorCodesOf, type Operation } from '../../../shared/contract/operation.ts';
import { type ErrorCode, entryOf } from '../../../shared/errors/catalogue.ts';
import type { FieldError } from '../../../shared/errors/field-error.ts';
import { DEPLOYED_SERVICE_VARIABLE } from './deployed-service.ts';
import { baseUrl, newKey } from './merchant.ts';
import { resend } from './resend.ts';
import { type Sent, send, type Transport } from './send.ts';

export interface ProblemBody {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly type: string;
  readonly instance: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
}

export interface Received<Row extends Operation> {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came over the wire. */
  readonly text: string;
  /** The response body, if the request succeeded. */
  readonly json: Row['success'] extends { schema: infer Schema extends v.GenericSchema }
    ? v.InferOutput<Schema>
    : never;
  /** The problem, where it was refused. */
  readonly problem: ProblemBody;
}

/** Sends requests with one key and checks each response against its row and the contract. */
export type Client = <const Row extends Operation>(row: Row, sent?: Sent) => Promise<Received<Row>>;

const IS_DEPLOYED = process.env[DEPLOYED_SERVICE_VARIABLE] !== undefined;
/** A deployed target may be slow: a request that it refuses as busy is repeated after its Retry-After. */
const SENT_AGAIN: readonly ErrorCode[] = IS_DEPLOYED ? ['temporarily_unavailable'] : [];
/** What a target responds where it has ended a function that took too long: not the service's own response. */
const ENDED_STATUS = 502;

/** A merchant that no other test has, and a client with its key. */
export async function newMerchant() {
  const key = await newKey();
  return { ...key, api: clientOf(key.secret) };
}

/** @param transport how requests get there: over HTTP, unless a test stands in between */
export function clientOf(
  secret: string | null,
  base: string = baseUrl,
  transport: Transport = fetch,
): Client {
  return (row, sent) => {
    const keyed = { idempotencyKey: randomUUID(), ...sent };
    let isAgain = false;
    return resend(SENT_AGAIN, async () => {
      if (isAgain) {
        console.log(`${row.id} is sent again`);
      }
      isAgain = true;
      const { response, text } = await send(base, secret, row, keyed, transport);
      const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined;
      const { status, headers } = response;
      if (IS_DEPLOYED && status === ENDED_STATUS && !headers.has('x-request-id')) {
        return { status, headers, text, json, problem: { code: 'temporarily_unavailable' } as ProblemBody };
      }
      expectPromisesKept(row, response, json);
      return { status, headers, text, json, problem: json };
    });
  };
}

/** Contract §2–3, for every response of every test. */
function expectPromisesKept(row: Operation, { status, headers }: Response, json: unknown): void {
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  const type = 'contentType' in row.success ? row.success.contentType : null;
  if (type !== null && (status < 500 || row.problems === 'pages') && headers.get('content-type') === type) {
    // A page explains an error in its own words, and has Retry-After like every response.
    expect(status).not.toBe(500);
    expect(headers.has('retry-after') || status !== 503).toBe(true);
    return;
  }
  if (status < 300) {
    expect(status).toBe(row.success.status);
    if ('schema' in row.success) {
      // Parsing strips undeclared fields, so equality means that there are none.
      expect(v.parse(row.success.schema, json)).toEqual(json);
    }
    return;
  }
  const problem = json as ProblemBody;
  const { title, retryAfterSeconds } = entryOf(problem.code);
  expect(errorCodesOf(row)).toContain(problem.code);
  expect(headers.get('content-type')).toBe('application/problem+json');
  expect(problem).toMatchObject({ status, title, instance: `urn:request:${headers.get('x-request-id')}` });
  expect(problem.type).toMatch(new RegExp(`^http.*/errors/${problem.code}$`));
  expect(problem.detail).not.toBe('');
  expect(headers.get('retry-after')).toBe(retryAfterSeconds === undefined ? null : String(retryAfterSeconds));
  expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
}
