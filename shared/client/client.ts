import { v7 } from 'uuid';
import { type ClientRow, clientRows } from './client-rows.ts';
import { directFetch } from './direct-fetch.ts';
import { listOf, type PageLike } from './list.ts';
import { type MethodArguments, type Methods, readArguments } from './method.ts';
import { type SendOptions, send } from './send.ts';

export interface ClientOptions {
  /** An API key. It is sent only to the base URL, and no error or log contains it. */
  readonly key: string;
  /** The address of the service: everything before `/api/v1`. */
  readonly baseUrl: string;
  /** The version of the API, as a date; by default that of the key. */
  readonly version?: string | undefined;
  /** How long one attempt may take; by default a little longer than the operation may run. */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of retries of a failed call: 0 disables retries. */
  readonly maxRetries?: number | undefined;
  /** The function that sends requests; by default the platform's own. */
  readonly fetch?: typeof fetch | undefined;
}

/** One method for each operation of the API that needs a key. */
export interface Client extends Methods {}

/** A URL that no parser repairs: it would drop spaces and line breaks, and take backslashes for slashes. */
const WRITTEN_URL = /^https?:\/\/[^\s\\/@][^\s\\]*$/i;
const PRINTABLE = /^[\x21-\x7e]+$/;
const SHOWN_URL_CHARS = 200;

/**
 * A client of the payment API: `client.createPayment({ … })`, and so on for every operation of the table.
 *
 * Each call has an Idempotency-Key, so it is safe to retry: after a broken connection, a time-out, a 429, a 5xx, and
 * while its first attempt still runs. Any other refusal is thrown at once, as a `ProblemError`.
 * @throws TypeError if the key or the base URL is malformed; neither is in the message
 */
export function createClient(options: ClientOptions): Client {
  const { timeoutMs, maxRetries = 4, fetch } = options;
  const base = readBaseUrl(options.baseUrl);
  const common = {
    // Checked before it is a header, since fetch would quote an invalid value in its error.
    Authorization: `Bearer ${readKey(options.key)}`,
    ...(options.version !== undefined && { 'PG-Version': options.version }),
  };
  const sending: SendOptions = {
    fetch: fetch === undefined ? directFetch : (...args) => fetch(...args),
    maxRetries,
  };

  const call = (operation: string, row: ClientRow, input: MethodArguments): Promise<object> => {
    const { idempotencyKey: given, signal, timeoutMs: ownTimeoutMs = timeoutMs } = input.options;
    const idempotencyKey = row.idempotent ? (given ?? v7()) : null;
    const body = row.sends === 'body' ? JSON.stringify(input.fields ?? {}) : undefined;
    const headers = new Headers({
      ...common,
      Accept: 'application/json',
      ...(idempotencyKey !== null && { 'Idempotency-Key': idempotencyKey }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    });
    const url = `${base}${pathOf(row, input)}`;
    return send(
      { operation, row, url, headers, body, idempotencyKey, timeoutMs: ownTimeoutMs, signal },
      sending,
    );
  };

  const methods = Object.entries(clientRows).map(([name, row]) => [
    name,
    row.isList
      ? (...args: unknown[]) => {
          const input = readArguments(name, row, args);
          return listOf((next) => call(name, row, from(input, next)) as Promise<PageLike<unknown>>);
        }
      : async (...args: unknown[]) => call(name, row, readArguments(name, row, args)),
  ]);
  return Object.freeze(Object.fromEntries(methods)) as Client;
}

function from({ fields, ...input }: MethodArguments, next: string | undefined): MethodArguments {
  const field = fields?.after_sequence === undefined ? 'after' : 'after_sequence';
  return { ...input, fields: next === undefined ? fields : { ...fields, [field]: next } };
}

function pathOf(row: ClientRow, { ids, fields = {} }: MethodArguments): string {
  const rest = [...ids];
  const path = row.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
  if (row.sends !== 'query') {
    return path;
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  return search.size === 0 ? path : `${path}?${search}`;
}

function readKey(key: string): string {
  if (typeof key !== 'string' || !PRINTABLE.test(key)) {
    throw new TypeError('createClient takes an API key: a text without spaces and line breaks.');
  }
  return key;
}

function readBaseUrl(text: string): string {
  const url = WRITTEN_URL.test(text) && URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!isPlain) {
    throw new TypeError(
      `createClient takes a base URL: http(s), without credentials and query. It was given ${shownUrl(text)}.`,
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** A URL without what may be secret: credentials, what follows a question mark, and API keys. */
function shownUrl(given: unknown): string {
  if (typeof given !== 'string') {
    return given === null ? 'null' : typeof given;
  }
  const shown = given
    .replace(/\/\/[^/]*@/, '//…@')
    .replace(/[?#].*$/s, '?…')
    .replace(/pg_\w+/g, 'pg_…');
  return JSON.stringify(shown.length > SHOWN_URL_CHARS ? `${shown.slice(0, SHOWN_URL_CHARS)}…` : shown);
}
