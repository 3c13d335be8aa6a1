import { viewPage } from '../shared/contract/list-page.ts';
import { viewWebhookEndpoint } from '../shared/contract/webhook-endpoint-view.ts';
import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { isSink } from '../shared/domain/endpoint.ts';
import { serveRead } from '../shared/http/serve-read.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Lists a merchant's own endpoints, newest first: all of them, since there are at most 16. */
export const handler = serveRead(webhookEndpointOperations.listWebhookEndpoints, async ({ world }) => {
  const endpoints = (await readEndpoints(world)).filter((endpoint) => !isSink(endpoint));
  const data = endpoints.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return viewPage({ data, nextCursor: null }, (endpoint) => viewWebhookEndpoint(world, endpoint));
});
