import type { ProviderEvent, ProviderEventState } from '../domain/provider-event.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { getItem, insert } from './item.ts';
import { providerEventKey, restIndex } from './keys.ts';

/** A word that was said, and what has come of it so far. */
export interface StoredProviderEvent {
  readonly word: ProviderEvent;
  readonly state: ProviderEventState;
}

/** What a provider has said under this event id, or null. */
export async function findProviderEvent(world: World, eventId: string): Promise<StoredProviderEvent | null> {
  const item = await getItem(providerEventKey(world, eventId));
  return item === undefined
    ? null
    : { word: JSON.parse(String(item.word)) as ProviderEvent, state: item.state as ProviderEventState };
}

/** Remembers what was said, so that a repetition changes nothing: an event id is used once. */
export function insertProviderEvent(world: World, word: ProviderEvent, state: ProviderEventState): Change {
  return insert({
    ...providerEventKey(world, word.eventId),
    ...restIndex(world, word.actionId),
    state,
    word: JSON.stringify(word),
  });
}

/** Notes what became of a word that was queued. */
export function settleProviderEvent(world: World, word: ProviderEvent, state: ProviderEventState): Change {
  return {
    update: {
      key: providerEventKey(world, word.eventId),
      expression: 'SET #state = :state',
      condition: '#state = :queued',
      names: { '#state': 'state' },
      values: { ':state': state, ':queued': 'queued' },
    },
  };
}
