import { viewWebhookEndpoint } from '../shared/contract/webhook-endpoint-view.ts';
import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { merchantEndpoint, rotateSecret } from '../shared/domain/endpoint.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Gives an endpoint a new secret. For a while, the previous one signs as well. */
export const handler = serve(webhookEndpointOperations.rotateWebhookSecret, async (request) => {
  const { world, params, body, nowMs } = request;
  const endpoint = merchantEndpoint(await readEndpoints(world), params.id);
  const rotated = rotateSecret(endpoint, body.overlapHours, { nowMs, realNowMs: Date.now() });
  const { after } = rotated;
  return { changes: [rotated], response: { ...viewWebhookEndpoint(world, after), secret: after.secret } };
});
