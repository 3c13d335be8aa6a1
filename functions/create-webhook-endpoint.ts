import { requireMayRead } from '../shared/contract/require-may-read.ts';
import { mayReadPayments } from '../shared/contract/viewer.ts';
import { viewWebhookEndpoint } from '../shared/contract/webhook-endpoint-view.ts';
import { webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { createEndpoint } from '../shared/domain/endpoint.ts';
import { ALL_EVENTS } from '../shared/domain/endpoint-limits.ts';
import { readSlotChange } from '../shared/flows/endpoint-slot.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';
import { checkEndpointUrl } from '../shared/webhooks/reach.ts';

const row = { ...webhookEndpointOperations.createWebhookEndpoint, checkBody: checkEndpointUrl };

/** Creates an endpoint: a merchant's own server that events are sent to. */
export const handler = serve(row, async (request) => {
  const { world, body, nowMs } = request;
  requireMayRead(request.permissions, body.events ?? [ALL_EVENTS]);
  const input = { ...body, seesPages: mayReadPayments(request) };
  const created = createEndpoint(await readEndpoints(world), input, nowMs);
  const { after } = created;
  const response = { ...viewWebhookEndpoint(world, after), secret: after.secret };
  return { changes: [created, ...(await readSlotChange(world, created))], response };
});
