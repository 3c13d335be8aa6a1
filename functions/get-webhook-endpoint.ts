import { viewWebhookEndpoint } from '../shared/contract/webhook-endpoint-view.ts';
import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { merchantEndpoint } from '../shared/domain/endpoint.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

const { createWebhookEndpoint, getWebhookEndpoint } = webhookEndpointOperations;

/** Retrieves an endpoint. A key that may create endpoints sees the secret too. */
export const handler = serveRead(getWebhookEndpoint, async ({ world, params, permissions }) => {
  const endpoint = merchantEndpoint(await readEndpoints(world), params.id);
  const isManager = permissions.includes(createWebhookEndpoint.permission);
  return { ...viewWebhookEndpoint(world, endpoint), ...(isManager && { secret: endpoint.secret }) };
});
