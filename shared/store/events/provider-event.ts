import type { ProviderEvent, ProviderEventState } from '../../domain/provider-event.ts';
import { endOfKeeping, NOTIFICATION_KEPT_DAYS } from '../../domain/retention.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { getItem, insert, update } from '../table/item.ts';
import { providerEventKey } from '../table/keys.ts';
import { TABLE } from '../table/table.ts';

/** A provider event and what has become of it so far. */
export interface StoredProviderEvent {
  readonly event: ProviderEvent;
  readonly state: ProviderEventState;
}

/** The provider event that is stored under this event id, or null. */
export async function findProviderEvent(world: World, eventId: string): Promise<StoredProviderEvent | null> {
  const item = await getItem(providerEventKey(world, eventId));
  return item === undefined
    ? null
    : { event: JSON.parse(String(item.event)) as ProviderEvent, state: item.state as ProviderEventState };
}

/** Stores a provider event under its event id, which is used once, so that a repeated event changes nothing. */
export function insertProviderEvent(world: World, event: ProviderEvent, state: ProviderEventState): Write {
  return insert({
    ...providerEventKey(world, event.eventId),
    state,
    event: JSON.stringify(event),
  });
}

/**
 * Stores a live provider's notification under its id, which is used once. One that matches nothing is deleted later.
 * @param id with the provider's name
 */
export function insertNotification(
  world: World,
  id: string,
  about: object,
  state: 'applied' | 'unmatched',
  realNowMs: number,
): Write {
  const end = state === 'unmatched' && { [TABLE.ttl]: endOfKeeping(NOTIFICATION_KEPT_DAYS, realNowMs) };
  return insert({ ...providerEventKey(world, id), state, notification: JSON.stringify(about), ...end });
}

export async function isNotificationStored(world: World, id: string): Promise<boolean> {
  return (await getItem(providerEventKey(world, id))) !== undefined;
}

/** Stores what became of a queued provider event. */
export function resolveProviderEvent(world: World, event: ProviderEvent, state: ProviderEventState): Write {
  return update(providerEventKey(world, event.eventId), 'SET #state = :state', {
    condition: '#state = :queued',
    names: { '#state': 'state' },
    values: { ':state': state, ':queued': 'queued' },
  });
}
