import type { EndpointChange } from '../domain/endpoint.ts';
import {
  ENDPOINT_PLACES_MAX,
  type EndpointPlaceChange,
  isEnabledByChange,
  takeEndpointPlace,
} from '../domain/endpoint-slot.ts';
import type { World } from '../domain/world.ts';
import { heldOf, readEndpointPlaces } from '../store/events/endpoint-slots.ts';

/**
 * The change by which an endpoint takes one of the places that a merchant's created worlds share, if another change
 * enables it there. The endpoint was read before: so the place that it took last is among those that are read here.
 * @throws Problem `endpoint_limit_reached`
 */
export async function placeOf(world: World, change: EndpointChange): Promise<EndpointPlaceChange[]> {
  const { after } = change;
  if (after === null || !isEnabledByChange(world, change)) {
    return [];
  }
  const places = await readEndpointPlaces(world.merchant);
  // Only where each place was taken once does it matter which are free again.
  const held = places.length < ENDPOINT_PLACES_MAX ? places : await heldOf(places);
  return [takeEndpointPlace(world, after, places, held)];
}
