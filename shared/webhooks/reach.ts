import type { Reach } from '../domain/delivery.ts';
import { type Endpoint, isSink } from '../domain/endpoint.ts';
import { PLAIN_URL, readPlainUrl } from '../domain/plain-url.ts';
import type { Mode } from '../domain/world.ts';
import { readVariable } from '../environment/variables.ts';
import type { FieldError } from '../errors/field-error.ts';
import { readEndpointUrl } from './endpoint-url.ts';

/** The hosts that an endpoint's URL may have (contract §14). No request can change that. */
export function reachOf(endpoint: Pick<Endpoint, 'url'>, mode: Mode): Reach {
  if (isSink(endpoint)) {
    return 'own';
  }
  return mayReachLoopback(mode) ? 'loopback too' : 'public';
}

/**
 * The error of an endpoint's URL, if any; other errors of a body are not checked. Where a URL leads is said before how it
 * is written.
 */
export function checkEndpointUrl(
  { url }: Readonly<Record<string, unknown>>,
  _nowMs: number,
  mode: Mode,
): FieldError[] {
  if (typeof url !== 'string') {
    return [];
  }
  const read = readEndpointUrl(url, mayReachLoopback(mode));
  if (!(read instanceof URL)) {
    return [{ field: 'url', ...read }];
  }
  return readPlainUrl(url) === null
    ? [{ field: 'url', code: 'format', message: `must be a URL ${PLAIN_URL}` }]
    : [];
}

function mayReachLoopback(mode: Mode): boolean {
  return mode === 'test' && readVariable('loopback') === 'allowed';
}
