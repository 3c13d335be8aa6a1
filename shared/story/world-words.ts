import type { BodyOf, PageOf } from './operation-id.ts';
import { lengthOfTime } from './times.ts';
import { worldTexts } from './world-texts.ts';

type CountablePage = PageOf<object> & { readonly has_more: boolean };

/** Reads of the test world, as far as there are any yet. */
export interface WorldContent {
  readonly clock: Pick<BodyOf<'testkit.GetClock'>, 'offset_seconds'> | null;
  readonly payments: CountablePage | null;
  readonly sinks: CountablePage | null;
  readonly endpoints: CountablePage | null;
}

/** What a purge would delete, in words. */
export function lossesOf({ clock, payments, sinks, endpoints }: WorldContent): string[] {
  const { losses } = worldTexts;
  return [
    losses.payments(countOf(payments)),
    losses.sinks(countOf(sinks)),
    losses.endpoints(countOf(endpoints)),
    losses.events,
    losses.savedResponses,
    losses.clock(lengthOfTime(clock?.offset_seconds ?? 0)),
  ];
}

function countOf(page: CountablePage | null) {
  return { count: page?.data.length ?? null, hasMore: page?.has_more ?? false };
}

/** How far the clock is ahead, in words. */
export function aheadText(offsetSeconds: number): string {
  const ahead = lengthOfTime(offsetSeconds);
  return ahead === '' ? worldTexts.inStep : worldTexts.ahead(ahead);
}

/** The effects of a move of the clock. */
export function effectsOf({ shifted }: Pick<BodyOf<'testkit.AdvanceClock'>, 'shifted'>): string {
  const { effects, effect, allEffects } = worldTexts;
  const facts = (Object.keys(effects) as (keyof typeof effects)[])
    .filter((name) => shifted[name] > 0)
    .map((name) => effect(effects[name], shifted[name]));
  return facts.length === 0 ? '' : allEffects(facts);
}
