import { randomUUID } from 'node:crypto';
import type { Operation } from '../../contract/operation.ts';

/** Longer than any function works. */
const ANSWERED_WITHIN_MS = 30_000;

export interface SmokeRequest {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The fields of a page's form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>;
}

interface SmokeResponse {
  readonly status: number;
  readonly text: string;
}

/** Calls an operation, whichever way that is. */
export type SmokeCall = (row: Operation, request?: SmokeRequest) => Promise<SmokeResponse>;

/** A request as it goes over the wire. */
interface WireRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** @param key is sent where the operation needs one: a page gets none */
export function toWire(row: Operation, { params = {}, body, form }: SmokeRequest, key: string): WireRequest {
  const isForm = form !== undefined;
  const sent = isForm ? new URLSearchParams(form).toString() : body && JSON.stringify(body);
  return {
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? '')),
    headers: {
      ...(row.permission !== null && { Authorization: `Bearer ${key}` }),
      ...(row.idempotent && { 'Idempotency-Key': randomUUID() }),
      ...(sent !== undefined && {
        'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
    },
    body: sent,
  };
}

/** Calls operations as merchants and payers do. */
export function overHttp(baseUrl: string, key: string): SmokeCall {
  return async (row, request = {}) => {
    const { path, headers, body } = toWire(row, request, key);
    const query = new URLSearchParams(request.query).toString();
    const response = await fetch(`${baseUrl}${path}${query === '' ? '' : `?${query}`}`, {
      method: row.method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
      ...(body !== undefined && { body }),
    });
    return { status: response.status, text: await response.text() };
  };
}
