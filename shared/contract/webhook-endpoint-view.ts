import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import {
  DISABLED_REASONS,
  ENDPOINT_STATUSES,
  type Endpoint,
  previousSecretEndsAt,
} from '../domain/endpoint.ts';
import { ENDPOINT_FILTERS_MAX } from '../domain/endpoint-limits.ts';
import type { World } from '../domain/world.ts';
import { idResponse, timestamp } from './fields.ts';
import { NEWEST_VERSION } from './versions.ts';
import { optionalTimestamp } from './view-fields.ts';

export const endpointFields = {
  id: idResponse('whe'),
  url: v.string(),
  description: v.nullable(v.string()),
  events: v.pipe(v.array(v.string()), v.maxLength(ENDPOINT_FILTERS_MAX)),
  status: v.picklist(ENDPOINT_STATUSES),
  disabled_reason: v.nullable(v.picklist(DISABLED_REASONS)),
  previous_secret_expires_at: v.nullable(timestamp),
  mode: v.string(),
  api_version: v.string(),
  created_at: timestamp,
  updated_at: timestamp,
  last_success_at: v.nullable(timestamp),
  last_failure_at: v.nullable(timestamp),
  failing_since: v.nullable(timestamp),
};

export const endpointResponse = v.object(endpointFields);
export type WebhookEndpointView = v.InferInput<typeof endpointResponse>;

/** @param realNowMs real time, which decides whether the previous secret is still valid */
export function viewWebhookEndpoint(
  { mode }: Pick<World, 'mode'>,
  endpoint: Endpoint,
  realNowMs = Date.now(),
): WebhookEndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    previous_secret_expires_at: optionalTimestamp(previousSecretEndsAt(endpoint, realNowMs)),
    mode,
    api_version: NEWEST_VERSION,
    created_at: toTimestamp(endpoint.createdAtMs),
    updated_at: toTimestamp(endpoint.updatedAtMs),
    last_success_at: optionalTimestamp(endpoint.lastSuccessAtMs),
    last_failure_at: optionalTimestamp(endpoint.lastFailureAtMs),
    failing_since: optionalTimestamp(endpoint.failingSinceMs),
  };
}
