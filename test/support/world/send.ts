import { randomUUID } from 'node:crypto';
import type { Operation } from '../../../shared/contract/operation.ts';

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text as it is, undefined as no body. */
  readonly body?: unknown;
  /** Null sends no key; by default a new one. */
  readonly idempotencyKey?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What brings a request to a service. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

/** Sends one request to a service, with a key or without. */
export async function send(
  base: string,
  secret: string | null,
  row: Operation,
  sent: Sent = {},
  transport: Transport = fetch,
): Promise<{ readonly response: Response; readonly text: string }> {
  const key = sent.idempotencyKey === undefined ? randomUUID() : sent.idempotencyKey;
  const { body } = sent;
  const response = await transport(addressOf(base, row, sent), {
    method: row.method,
    headers: {
      ...(secret !== null && { Authorization: `Bearer ${secret}` }),
      ...(row.idempotent && key !== null && { 'Idempotency-Key': key }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...sent.headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { response, text: await response.text() };
}

/** Where a request of a row goes. */
export function addressOf(base: string, row: Operation, { params = {}, query = {} }: Sent): string {
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  return `${base}${path}${search === '' ? '' : `?${search}`}`;
}
