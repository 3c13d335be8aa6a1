import type { DeliveryTarget } from '../../domain/delivery.ts';
import { addressOf, type Endpoint } from '../../domain/endpoint.ts';
import type { World } from '../../domain/world.ts';
import { readEndpoints } from '../../store/events/endpoint.ts';
import { nextJobAt } from '../../store/scheduler/due.ts';
import { type In, type JobPk, jobPks, queuePk } from '../../store/table/keys.ts';
import { reachOf } from '../../webhooks/reach.ts';

/**
 * The delivery targets of a world: its enabled endpoints.
 * @param baseUrl of this service, for the addresses of sinks
 */
export async function readDeliveryTargets(world: World, baseUrl: string): Promise<DeliveryTarget[]> {
  const endpoints = await readEndpoints(world);
  return endpoints
    .filter(({ status }) => status === 'enabled')
    .map((endpoint) => deliveryTargetOf(world, endpoint, baseUrl));
}

/** @param baseUrl of this service, for the addresses of sinks */
export function deliveryTargetOf({ mode }: World, endpoint: Endpoint, baseUrl: string): DeliveryTarget {
  return {
    id: endpoint.id,
    endpoint,
    url: addressOf(endpoint, baseUrl),
    reach: reachOf(endpoint, mode),
  };
}

/** The partitions of the queued delivery attempts of a world, one for each endpoint. */
export async function readQueuePks(world: World): Promise<In<'QUEUE'>[]> {
  const endpoints = await readEndpoints(world);
  return endpoints.map(({ id }) => queuePk(world, id));
}

/** Every partition of a world that holds jobs. */
export async function readJobPks(world: World): Promise<JobPk[]> {
  return [...jobPks(world), ...(await readQueuePks(world))];
}

/** When the next job of the merchant's in a world is due, on the merchant's clock, or null. */
export async function readNextJobAt(world: World): Promise<number | null> {
  return nextJobAt(await readJobPks(world));
}
