import type { EndpointChange } from '../domain/endpoint.ts';
import {
  ENDPOINT_SLOTS_MAX,
  type EndpointSlotChange,
  isEnabledByChange,
  takeEndpointSlot,
} from '../domain/endpoint-slot.ts';
import type { World } from '../domain/world.ts';
import { readEndpointSlots, readHeldSlots } from '../store/events/endpoint-slots.ts';

/**
 * The change by which an endpoint takes one of the slots that a merchant's created worlds share, if another change
 * enables it there. The endpoint was read before: so the slot that it took last is among those that are read here.
 * @throws Problem `endpoint_limit_reached`
 */
export async function readSlotChange(world: World, change: EndpointChange): Promise<EndpointSlotChange[]> {
  const { after } = change;
  if (after === null || !isEnabledByChange(world, change)) {
    return [];
  }
  const slots = await readEndpointSlots(world.merchant);
  // Only where each slot was taken once does it matter which are free again.
  const held = slots.length < ENDPOINT_SLOTS_MAX ? slots : await readHeldSlots(slots);
  return [takeEndpointSlot(world, after, slots, held)];
}
