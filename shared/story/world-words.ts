import type { BodyOf, PageOf } from './operation-id.ts';
import { lengthOfTime } from './times.ts';

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
  const ahead = lengthOfTime(clock?.offset_seconds ?? 0);
  return [
    `${countOf(payments, 'payment')}, with refunds, payouts, settlements and payment links`,
    `${countOf(sinks, 'webhook sink')}, with what they received`,
    `${countOf(endpoints, 'webhook endpoint')}, with what was sent to them`,
    'all events, and what is still to be delivered or done',
    'the saved responses of idempotency keys',
    `the clock: it returns to real time${ahead === '' ? '' : `, ${ahead} back`}`,
  ];
}

function countOf(page: CountablePage | null, one: string): string {
  const count = page?.data.length;
  const more = page?.has_more ? ' or more' : '';
  return count === undefined ? `all ${one}s` : `${count}${more} ${count === 1 ? one : `${one}s`}`;
}

/** How far the clock is ahead, in words. */
export function aheadText(offsetSeconds: number): string {
  const ahead = lengthOfTime(offsetSeconds);
  return ahead === '' ? 'in step with real time' : `${ahead} ahead of real time`;
}

/** The effects of a move of the clock. */
export function effectsOf({ shifted }: Pick<BodyOf<'testkit.AdvanceClock'>, 'shifted'>): string {
  const counts: Readonly<Record<Exclude<keyof typeof shifted, 'from' | 'to'>, string>> = {
    payments_expired: 'payments expired',
    refunds_approved: 'refunds approved',
    simulations_applied: 'outcomes applied',
    deliveries_attempted: 'deliveries attempted',
    jobs_remaining: 'jobs still to run',
  };
  const facts = (Object.keys(counts) as (keyof typeof counts)[])
    .filter((name) => shifted[name] > 0)
    .map((name) => `${counts[name]}: ${shifted[name]}`);
  return facts.length === 0 ? '' : `${facts.join(', ')}.`;
}
