import { providerNoticeOperations } from '../shared/contract/provider-notices.ts';
import { found } from '../shared/errors/problem.ts';
import { receiveNotice } from '../shared/flows/receive-notice.ts';
import { serveReceiver } from '../shared/http/serve-receiver.ts';
import { findNotifiedWorld } from '../shared/store/connection.ts';

/** Takes a notice of a live provider: whatever it says, what is true is asked for. */
export const handler = serveReceiver(providerNoticeOperations.receiveNotice, async (notice) => {
  const { params, headers, body } = notice;
  const world = found(await findNotifiedWorld(params.provider, params.token), 'route_not_found');
  await receiveNotice(world, { headers, body, nowMs: Date.now() });
  return { status: 200, headers: {}, body: '{"received":true}' };
});
