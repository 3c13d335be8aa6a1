import type { Reach } from '../domain/delivery.ts';
import { type Endpoint, isSink } from '../domain/endpoint.ts';
import type { Mode } from '../domain/world.ts';
import type { FieldError } from '../errors/field-error.ts';
import { readEndpointUrl } from './endpoint-url.ts';

/** `allowed` where the service runs on one's own machine: there, http to it counts as an endpoint of a test world. */
export const LOOPBACK_VARIABLE = 'WEBHOOKS_TO_LOOPBACK';

/** Where a receiver may be (contract §14). No request can say so. */
export function reachOf(endpoint: Pick<Endpoint, 'url'>, mode: Mode): Reach {
  if (isSink(endpoint)) {
    return 'own';
  }
  return mayReachLoopback(mode) ? 'loopback too' : 'public';
}

/** What is wrong with where an endpoint is to be; other errors of a body are not looked for. */
export function checkEndpointUrl(
  { url }: Readonly<Record<string, unknown>>,
  _nowMs: number,
  mode: Mode,
): FieldError[] {
  const read = typeof url === 'string' ? readEndpointUrl(url, mayReachLoopback(mode)) : null;
  return read === null || read instanceof URL ? [] : [{ field: 'url', ...read }];
}

function mayReachLoopback(mode: Mode): boolean {
  return mode === 'test' && process.env[LOOPBACK_VARIABLE] === 'allowed';
}
