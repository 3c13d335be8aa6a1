import { requireMayRead } from '../shared/contract/require-may-read.ts';
import { mayReadPayments } from '../shared/contract/viewer.ts';
import { viewWebhookEndpoint } from '../shared/contract/webhook-endpoint-view.ts';
import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { merchantEndpoint, updateEndpoint } from '../shared/domain/endpoint.ts';
import { readSlotChange } from '../shared/flows/endpoint-slot.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';
import { checkEndpointUrl } from '../shared/webhooks/reach.ts';

const row = { ...webhookEndpointOperations.updateWebhookEndpoint, checkBody: checkEndpointUrl };

/** Changes an endpoint, or disables or enables it. Omitted fields keep their value. */
export const handler = serve(row, async (request) => {
  const { world, params, body, nowMs } = request;
  const endpoint = merchantEndpoint(await readEndpoints(world), params.id);
  const updated = updateEndpoint(endpoint, { ...body, seesPages: mayReadPayments(request) }, nowMs);
  const { description: _, ...moving } = body;
  if (Object.keys(moving).length > 0) {
    requireMayRead(request.permissions, [...endpoint.events, ...updated.after.events]);
  }
  const changes = [updated, ...(await readSlotChange(world, updated))];
  return { changes, response: viewWebhookEndpoint(world, updated.after) };
});
