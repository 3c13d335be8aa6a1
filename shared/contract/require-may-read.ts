import { includesType } from '../domain/endpoint.ts';
import { ENDPOINT_EVENTS } from '../domain/endpoint-event.ts';
import { RESOURCE_NAMES, RESOURCES } from '../domain/resource.ts';
import { Problem } from '../errors/problem.ts';
import type { Permission } from './permissions.ts';
import { READING } from './views.ts';

const READING_BY_EVENTS: readonly (readonly [readonly string[], Permission])[] = [
  ...RESOURCE_NAMES.map((name) => [RESOURCES[name].events, READING[name]] as const),
  [ENDPOINT_EVENTS, 'webhook.read'],
];

/**
 * Refuses a key that may not read the events that an endpoint receives (contract §14).
 * @param filters the `events` of the endpoint
 * @throws Problem `permission_denied`
 */
export function requireMayRead(permissions: readonly string[], filters: readonly string[]): void {
  for (const [types, required] of READING_BY_EVENTS) {
    if (!permissions.includes(required) && types.some((type) => includesType(filters, type))) {
      throw new Problem('permission_denied', { details: { required } });
    }
  }
}
