import { Problem } from '../errors/problem.ts';
import type { Endpoint, EndpointChange } from './endpoint.ts';
import { sha256Hex } from './secret.ts';
import type { World } from './world.ts';

/** The most enabled endpoints that a merchant has in all its created worlds together (contract §16). */
export const ENDPOINT_SLOTS_MAX = 64;

/**
 * One of the slots that a merchant's enabled endpoints share in its created worlds. Nothing gives a slot back: it is free
 * once the endpoint that took it last is disabled, deleted or purged, or its world has ended. So no count can drift.
 */
export interface EndpointSlot {
  readonly index: number;
  /** Raised each time that the slot is taken. */
  readonly version: number;
  /** The endpoint that took it last. */
  readonly id: string;
  readonly worldId: string;
  readonly epoch: number;
  /** The slot of that endpoint in its world. */
  readonly slot: number;
}

/** An endpoint that becomes enabled takes a slot. */
export interface EndpointSlotChange {
  readonly kind: 'endpoint-slot';
  /** As it was read; null where nothing has taken it yet. */
  readonly before: EndpointSlot | null;
  readonly after: EndpointSlot;
}

/** Whether a change enables an endpoint of a created world: a merchant's own worlds take no slots. */
export function isEnabledByChange(
  { created }: Pick<World, 'created'>,
  { before, after }: EndpointChange,
): boolean {
  return created !== undefined && after?.status === 'enabled' && before?.status !== 'enabled';
}

/**
 * Takes a slot for an endpoint: the one that it had before it was disabled, else a free one.
 * @param slots all that were ever taken
 * @param held those of them that are not free
 * @throws Problem `endpoint_limit_reached`
 */
export function takeEndpointSlot(
  { id: worldId, epoch }: Pick<World, 'id' | 'epoch'>,
  { id, slot }: Pick<Endpoint, 'id' | 'slot'>,
  slots: readonly EndpointSlot[],
  held: readonly EndpointSlot[],
): EndpointSlotChange {
  // Two slots for one endpoint would both count.
  const own = slots.find((each) => each.id === id);
  const taken = new Set(held.map(({ index }) => index));
  // From different ones on, since endpoints of several worlds are created at once.
  const first = Number.parseInt(sha256Hex(`${worldId} ${slot}`).slice(0, 8), 16);
  const inOrder = Array.from({ length: ENDPOINT_SLOTS_MAX }, (_, nth) => (first + nth) % ENDPOINT_SLOTS_MAX);
  const index = own?.index ?? inOrder.find((each) => !taken.has(each));
  if (index === undefined) {
    throw new Problem('endpoint_limit_reached');
  }
  const before = slots.find((each) => each.index === index) ?? null;
  const after = { index, version: (before?.version ?? 0) + 1, id, worldId, epoch, slot };
  return { kind: 'endpoint-slot', before, after };
}
