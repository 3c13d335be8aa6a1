import { PING, pingBody } from '../contract/events.ts';
import type { Beginning } from '../domain/beginning.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { derivedId } from '../domain/id.ts';
import type { World } from '../domain/world.ts';
import { deliver } from '../webhooks/deliver.ts';
import { Poster } from '../webhooks/poster.ts';
import { targetOf } from './targets.ts';

interface Asked {
  readonly world: World;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly idempotencyKey: string;
}

/**
 * Sends a test event to an endpoint, once, and waits for the answer (contract §14).
 * @param beginning of the request: who sends the request again after a crash sends the same event
 */
export async function ping(
  { world, baseUrl, requestId, idempotencyKey }: Asked,
  endpoint: Endpoint,
  { atMs, secret }: Beginning,
): Promise<Delivery & { readonly body: string }> {
  const id = derivedId('evt', atMs, secret);
  const request = { id: requestId, idempotency_key: idempotencyKey };
  const body = pingBody(world, id, endpoint.id, atMs, request);
  const event = { id, type: PING, resourceId: endpoint.id, sequence: 0, place: 0, body };
  const poster = new Poster();
  try {
    const target = targetOf(world, endpoint, baseUrl);
    const delivery = await deliver({ poster, target, event, attempt: 1, isRedelivery: true, nowMs: atMs });
    return { ...delivery, body };
  } finally {
    poster.close();
  }
}
