import { providerNotificationOperations } from '../shared/contract/provider-notifications.ts';
import { found } from '../shared/errors/problem.ts';
import { receiveProviderNotification } from '../shared/flows/receive-provider-notification.ts';
import { serveReceiver } from '../shared/http/serve-receiver.ts';
import { findNotifiedWorld } from '../shared/store/worlds/connection.ts';

/** Receives a notification of a live provider. It is only a hint: the state is retrieved from the provider. */
export const handler = serveReceiver(providerNotificationOperations.receiveNotification, async (request) => {
  const { params, headers, body } = request;
  const world = found(await findNotifiedWorld(params.provider, params.token), 'route_not_found');
  await receiveProviderNotification(world, { headers, body, nowMs: Date.now() });
  return { status: 200, headers: {}, body: '{"received":true}' };
});
