import type { AnyJson } from '../../story/any-json.ts';
import { lengthOfTime } from '../../story/times.ts';
import type { GateAnswer } from '../call/gate.ts';

/** Reads of the test world, as far as there are any yet. */
export interface WorldContent {
  readonly clock: GateAnswer | null;
  readonly payments: GateAnswer | null;
  readonly sinks: GateAnswer | null;
  readonly endpoints: GateAnswer | null;
}

/** What a purge would delete, in words. */
export function lossesOf({ clock, payments, sinks, endpoints }: WorldContent): string[] {
  const ahead = clock?.status === 200 ? lengthOfTime(clock.json.offset_seconds) : '';
  return [
    `${countOf(payments, 'payment')}, with refunds, payouts, settlements and payment links`,
    `${countOf(sinks, 'webhook sink')}, with what they received`,
    `${countOf(endpoints, 'webhook endpoint')}, with what was sent to them`,
    'all events, and what is still to be delivered or done',
    'the saved responses of idempotency keys',
    `the clock: it returns to real time${ahead === '' ? '' : `, ${ahead} back`}`,
  ];
}

function countOf(answer: GateAnswer | null, one: string): string {
  const count = answer?.status === 200 ? answer.json.data.length : null;
  const more = answer?.json?.has_more === true ? ' or more' : '';
  return count === null ? `all ${one}s` : `${count}${more} ${count === 1 ? one : `${one}s`}`;
}

/** How far the clock is ahead, in words. */
export function aheadText(offsetSeconds: number): string {
  const ahead = lengthOfTime(offsetSeconds);
  return ahead === '' ? 'in step with real time' : `${ahead} ahead of real time`;
}

/** The effects of a move of the clock. */
export function effectsOf(json: AnyJson): string {
  const counts: Readonly<Record<string, string>> = {
    payments_expired: 'payments expired',
    refunds_approved: 'refunds approved',
    simulations_applied: 'outcomes applied',
    deliveries_attempted: 'deliveries attempted',
    jobs_remaining: 'jobs still to run',
  };
  const facts = Object.entries(counts)
    .filter(([name]) => json?.shifted?.[name] > 0)
    .map(([name, text]) => `${text}: ${json.shifted[name]}`);
  return facts.length === 0 ? '' : `${facts.join(', ')}.`;
}
