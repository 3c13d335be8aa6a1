import type { Reach } from '../domain/delivery.ts';
import { type Endpoint, isSink } from '../domain/endpoint.ts';
import type { Mode } from '../domain/world.ts';
import type { FieldError } from '../errors/field-error.ts';
import { readEndpointUrl } from './endpoint-url.ts';

/** `allowed` where the service runs on a developer's machine: endpoints of test worlds may then be on it, with http. */
export const LOOPBACK_VARIABLE = 'WEBHOOKS_TO_LOOPBACK';

/** The hosts that an endpoint's URL may have (contract §14). No request can change that. */
export function reachOf(endpoint: Pick<Endpoint, 'url'>, mode: Mode): Reach {
  if (isSink(endpoint)) {
    return 'own';
  }
  return mayReachLoopback(mode) ? 'loopback too' : 'public';
}

/** The error of an endpoint's URL, if any; other errors of a body are not checked. */
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
