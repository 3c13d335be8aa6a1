import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { merchantsOwn } from '../shared/domain/endpoint.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/endpoint.ts';

/** Deletes an endpoint: nothing is sent to it any more. */
export const handler = serve(webhookEndpointOperations.deleteWebhookEndpoint, async ({ world, params }) => {
  const endpoint = merchantsOwn(await readEndpoints(world), params.id);
  return {
    changes: [{ kind: 'endpoint', before: endpoint, after: null }],
    answer: { id: endpoint.id, deleted: true as const },
  };
});
