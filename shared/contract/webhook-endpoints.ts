import * as v from 'valibot';
import { toTimestamp } from '../domain/clock.ts';
import {
  ALL_EVENTS,
  DISABLED_REASONS,
  ENDPOINT_DESCRIPTION_MAX_CHARS,
  ENDPOINT_FILTERS_MAX,
  ENDPOINT_STATUSES,
  type Endpoint,
  familyOf,
} from '../domain/endpoint.ts';
import { EVENT_TYPES } from '../domain/resource.ts';
import type { World } from '../domain/world.ts';
import { idAnswer, list, text, timestamp, URL_MAX_CHARS } from './fields.ts';
import { pageOf } from './list-page.ts';
import { type Operation, READ, WRITE } from './operation.ts';
import { NEWEST_VERSION } from './versions.ts';

/** What an endpoint can ask for: a type, all of a resource, or all there is (contract §14). */
const eventFilter = v.picklist([ALL_EVENTS, ...new Set(EVENT_TYPES.map(familyOf)), ...EVENT_TYPES]);
/** Where it may lead is decided when the whole body is checked: `checkEndpointUrl`. */
const url = v.pipe(v.string(), v.maxLength(URL_MAX_CHARS), v.metadata({ format: 'uri' }));

const wish = {
  description: v.optional(text(0, ENDPOINT_DESCRIPTION_MAX_CHARS)),
  events: v.optional(list(eventFilter, 1, ENDPOINT_FILTERS_MAX)),
};

const endpointFields = {
  id: idAnswer('whe'),
  url: v.string(),
  description: v.nullable(v.string()),
  events: v.array(v.string()),
  status: v.picklist(ENDPOINT_STATUSES),
  disabled_reason: v.nullable(v.picklist(DISABLED_REASONS)),
  mode: v.string(),
  api_version: v.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

const endpointAnswer = v.object(endpointFields);
export type WebhookEndpointView = v.InferInput<typeof endpointAnswer>;

const createdAnswer = v.object({ ...endpointFields, secret: v.string() });
/** To a key that may manage endpoints, retrieving one shows the secret too. */
const retrievedAnswer = v.object({ ...endpointFields, secret: v.optional(v.string()) });

const deletedAnswer = v.object({ id: idAnswer('whe'), deleted: v.literal(true) });

const MANAGE = { ...WRITE, permission: 'webhook.manage' } as const;
const LOOK = { ...READ, permission: 'webhook.read' } as const;

export const webhookEndpointOperations = {
  createWebhookEndpoint: {
    ...MANAGE,
    id: 'webhooks.CreateWebhookEndpoint',
    path: '/api/v1/webhook-endpoints',
    summary: 'Create a webhook endpoint: a server of your own that events are sent to',
    description:
      'It gets the events of its mode that one of `events` lets through, from now on, signed with `secret`. A merchant has at most 16 in each mode.',
    storage: { query: ['ENDPOINTS'], put: ['ENDPOINTS'] },
    body: v.strictObject({ url, ...wish }),
    success: { status: 201, name: 'WebhookEndpointWithSecret', schema: createdAnswer },
    errors: ['endpoint_limit_reached'],
    example: { url: 'https://shop.example.com/webhooks', events: ['payment.*', 'refund.succeeded'] },
  },
  updateWebhookEndpoint: {
    ...MANAGE,
    id: 'webhooks.UpdateWebhookEndpoint',
    method: 'PATCH',
    path: '/api/v1/webhook-endpoints/{id}',
    summary: 'Change, disable or enable a webhook endpoint',
    description:
      'Only given fields change. A disabled endpoint gets nothing; enabled again, it gets what happens from then on.',
    storage: { query: ['ENDPOINTS'], put: ['ENDPOINTS'] },
    body: v.strictObject({ url: v.optional(url), ...wish, enabled: v.optional(v.boolean()) }),
    success: { status: 200, name: 'WebhookEndpoint', schema: endpointAnswer },
    errors: ['webhook_endpoint_not_found'],
    example: { description: 'orders', enabled: false },
  },
  deleteWebhookEndpoint: {
    ...MANAGE,
    id: 'webhooks.DeleteWebhookEndpoint',
    method: 'DELETE',
    path: '/api/v1/webhook-endpoints/{id}',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing is sent to it any more, and its deliveries can no longer be read.',
    storage: { query: ['ENDPOINTS'], delete: ['ENDPOINTS'] },
    body: v.strictObject({}),
    success: { status: 200, name: 'DeletedWebhookEndpoint', schema: deletedAnswer },
    errors: ['webhook_endpoint_not_found'],
    example: {},
  },
  getWebhookEndpoint: {
    ...LOOK,
    id: 'webhooks.GetWebhookEndpoint',
    path: '/api/v1/webhook-endpoints/{id}',
    summary: 'Retrieve a webhook endpoint',
    description: 'A key with `webhook.manage` sees its secret too.',
    storage: { query: ['ENDPOINTS'] },
    success: { status: 200, name: 'RetrievedWebhookEndpoint', schema: retrievedAnswer },
    errors: ['webhook_endpoint_not_found'],
  },
  listWebhookEndpoints: {
    ...LOOK,
    id: 'webhooks.ListWebhookEndpoints',
    path: '/api/v1/webhook-endpoints',
    summary: 'List webhook endpoints, newest first',
    description: 'There are at most 16, so one page holds them all. Sinks are not among them.',
    storage: { query: ['ENDPOINTS'] },
    success: { status: 200, name: 'WebhookEndpointPage', schema: pageOf(endpointAnswer) },
    errors: [],
  },
} as const satisfies Record<string, Operation>;

export function viewWebhookEndpoint({ mode }: Pick<World, 'mode'>, endpoint: Endpoint): WebhookEndpointView {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    status: endpoint.status,
    disabled_reason: endpoint.disabledReason,
    mode,
    api_version: NEWEST_VERSION,
    created_at: toTimestamp(endpoint.createdAtMs),
    updated_at: toTimestamp(endpoint.updatedAtMs),
  };
}
