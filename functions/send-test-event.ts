import { viewEndpointDelivery, webhookEndpointOperations } from '../shared/contract/webhook-endpoints.ts';
import { merchantEndpoint, noteAttempts } from '../shared/domain/endpoint.ts';
import { pingOnce } from '../shared/flows/ping.ts';
import { serve } from '../shared/http/serve.ts';
import { readEndpoints } from '../shared/store/events/endpoint.ts';

/** Sends a test event to an endpoint, and returns the result of the attempt. */
export const handler = serve(webhookEndpointOperations.sendTestEvent, async (request) => {
  const endpoint = merchantEndpoint(await readEndpoints(request.world), request.params.id);
  const delivery = await pingOnce(request, endpoint);
  const noted = noteAttempts(endpoint, [delivery]);
  const changes = [{ kind: 'delivery', delivery } as const, ...(noted === null ? [] : [noted])];
  return { changes, response: viewEndpointDelivery(delivery, request) };
});
