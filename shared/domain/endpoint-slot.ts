import { Problem } from '../errors/problem.ts';
import type { Endpoint, EndpointChange } from './endpoint.ts';
import { sha256Hex } from './secret.ts';
import type { World } from './world.ts';

/** The most enabled endpoints that a merchant has in all its created worlds together (contract §16). */
export const ENDPOINT_PLACES_MAX = 64;

/**
 * One of the places that a merchant's enabled endpoints share in its created worlds. Nothing gives a place back: it is free
 * once the endpoint that took it last is disabled, deleted or purged, or its world has ended. So no count can drift.
 */
export interface EndpointPlace {
  readonly place: number;
  /** Raised each time that the place is taken. */
  readonly version: number;
  /** Of the endpoint that took it last, as its slot is. */
  readonly id: string;
  readonly worldId: string;
  readonly epoch: number;
  readonly slot: number;
}

/** An endpoint that becomes enabled takes a place. */
export interface EndpointPlaceChange {
  readonly kind: 'endpoint-place';
  /** As it was read; null where nothing has taken it yet. */
  readonly before: EndpointPlace | null;
  readonly after: EndpointPlace;
}

/** Whether a change enables an endpoint of a created world: a merchant's own worlds take no places. */
export function isEnabledByChange(
  { created }: Pick<World, 'created'>,
  { before, after }: EndpointChange,
): boolean {
  return created !== undefined && after?.status === 'enabled' && before?.status !== 'enabled';
}

/**
 * Takes a place for an endpoint: the one that it had before it was disabled, else a free one.
 * @param places all that were ever taken
 * @param held those of them that are not free
 * @throws Problem `endpoint_limit_reached`
 */
export function takeEndpointPlace(
  { id: worldId, epoch }: Pick<World, 'id' | 'epoch'>,
  { id, slot }: Pick<Endpoint, 'id' | 'slot'>,
  places: readonly EndpointPlace[],
  held: readonly EndpointPlace[],
): EndpointPlaceChange {
  // Two places for one endpoint would both count.
  const own = places.find((each) => each.id === id);
  const taken = new Set(held.map(({ place }) => place));
  // From different ones on, since endpoints of several worlds are created at once.
  const first = Number.parseInt(sha256Hex(`${worldId} ${slot}`).slice(0, 8), 16);
  const inOrder = Array.from(
    { length: ENDPOINT_PLACES_MAX },
    (_, nth) => (first + nth) % ENDPOINT_PLACES_MAX,
  );
  const place = own?.place ?? inOrder.find((each) => !taken.has(each));
  if (place === undefined) {
    throw new Problem('endpoint_limit_reached');
  }
  const before = places.find((each) => each.place === place) ?? null;
  const after = { place, version: (before?.version ?? 0) + 1, id, worldId, epoch, slot };
  return { kind: 'endpoint-place', before, after };
}
