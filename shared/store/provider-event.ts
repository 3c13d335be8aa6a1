import type { ProviderWord } from '../domain/provider-word.ts';
import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { getItem, insert } from './item.ts';
import { providerEventKey, restIndex } from './keys.ts';

/** `queued` for later, `applied`, or `skipped` because the state did not allow it any more when it was due. */
export type WordState = 'queued' | 'applied' | 'skipped';

/** What a provider has said under this event id, or null. */
export async function findProviderWord(world: World, eventId: string): Promise<ProviderWord | null> {
  const item = await getItem(providerEventKey(world, eventId));
  return item === undefined ? null : (JSON.parse(String(item.word)) as ProviderWord);
}

/** Remembers what was said, so that a repetition changes nothing: an event id is used once. */
export function insertProviderWord(world: World, word: ProviderWord, state: WordState): Change {
  return insert({
    ...providerEventKey(world, word.eventId),
    ...restIndex(world, word.actionId),
    state,
    word: JSON.stringify(word),
  });
}

/** Notes what became of a word that was queued. */
export function settleProviderWord(world: World, word: ProviderWord, state: WordState): Change {
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
