import { PING, pingBody } from '../contract/events.ts';
import { SECOND_MS } from '../domain/clock.ts';
import type { Delivery } from '../domain/delivery.ts';
import { type Endpoint, requireEnabled } from '../domain/endpoint.ts';
import { PING_SECONDS } from '../domain/endpoint-limits.ts';
import { derivedId } from '../domain/id.ts';
import type { RequestClaim, RequestStart } from '../domain/request-start.ts';
import type { World } from '../domain/world.ts';
import { Problem } from '../errors/problem.ts';
import { Leases } from '../store/scheduler/lease.ts';
import { pingLeaseKey } from '../store/table/keys.ts';
import { Poster } from '../webhooks/poster.ts';
import { deliverEvent } from './dispatch/deliver-event.ts';
import { deliveryTargetOf } from './dispatch/delivery-targets.ts';

/** How soon after a crash an endpoint can be pinged again. */
const LEASE_MS = 8 * SECOND_MS;

interface PingRequest {
  readonly world: World;
  readonly baseUrl: string;
  readonly requestId: string;
  readonly idempotencyKey: string;
  readonly claim: RequestClaim;
}

type PingDelivery = Delivery & { readonly body: string };

/** The ping of each request: if the commit of a request conflicts, it is decided again without a second ping. */
const pings = new WeakMap<RequestClaim, Promise<PingDelivery>>();

/**
 * Sends a test event to an endpoint, once for a request, and waits for the response (contract §14).
 * @throws Problem `invalid_state` if the endpoint is disabled
 * @throws Problem `endpoint_busy` while another ping of this endpoint waits for its response
 */
export function pingOnce(pingRequest: PingRequest, endpoint: Endpoint): Promise<PingDelivery> {
  const pinged = pings.get(pingRequest.claim) ?? pingAlone(pingRequest, endpoint);
  pings.set(pingRequest.claim, pinged);
  return pinged;
}

async function pingAlone(pingRequest: PingRequest, endpoint: Endpoint): Promise<PingDelivery> {
  requireEnabled(endpoint);
  const start = await pingRequest.claim.stands();
  const leases = new Leases(LEASE_MS);
  const key = pingLeaseKey(pingRequest.world, endpoint.id);
  try {
    if (!(await leases.take(key, { mustExist: false }))) {
      throw new Problem('endpoint_busy');
    }
    return await ping(pingRequest, endpoint, start).finally(() => leases.release(key));
  } finally {
    leases.close();
  }
}

/** The event is derived from the start of the request, so a retry after a crash sends the same event. */
async function ping(
  { world, baseUrl, requestId, idempotencyKey }: PingRequest,
  endpoint: Endpoint,
  { atMs, secret }: RequestStart,
): Promise<PingDelivery> {
  const id = derivedId('evt', atMs, secret);
  const request = { id: requestId, idempotency_key: idempotencyKey };
  const body = pingBody(world, id, endpoint.id, atMs, request);
  const event = { id, type: PING, resourceId: endpoint.id, sequence: 0, firstSequence: 0, body };
  const poster = new Poster();
  try {
    const delivery = await deliverEvent({
      poster,
      target: deliveryTargetOf(world, endpoint, baseUrl),
      event,
      attempt: 1,
      isRedelivery: true,
      nowMs: atMs,
      timeoutMs: PING_SECONDS * SECOND_MS,
    });
    return { ...delivery, body };
  } finally {
    poster.close();
  }
}
