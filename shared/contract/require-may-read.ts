import { includesType } from '../domain/endpoint.ts';
import { REPORTED_NAMES, RESOURCES } from '../domain/resource.ts';
import { Problem } from '../errors/problem.ts';
import { READING } from './views.ts';

/**
 * Refuses a key that may not read the events that an endpoint receives (contract §14).
 * @param filters the `events` of the endpoint
 * @throws Problem `permission_denied`
 */
export function requireMayRead(permissions: readonly string[], filters: readonly string[]): void {
  for (const name of REPORTED_NAMES) {
    const required = READING[name];
    const isMet = RESOURCES[name].events.some((type) => includesType(filters, type));
    if (isMet && !permissions.includes(required)) {
      throw new Problem('permission_denied', { details: { required } });
    }
  }
}
