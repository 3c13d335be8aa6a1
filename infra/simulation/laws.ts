import type { Finding } from '../exam/shop-failure.ts';

/** What is true of a right shop after every step, in the words of the report. */
export const LAWS = {
  accepted: 'Every event that is signed right is answered 2xx, however often and in whatever order it comes.',
  kept: 'What was answered 2xx is done: the order is paid, its goods go out, its refunds are booked.',
  paid: 'An order is paid only if money came for it.',
  once: 'Goods go out at most once for an order, and only if it is paid.',
  refunded: 'What was given back is what was refunded.',
  reachable: 'The addresses for tests answer as the guide says.',
} as const;
export type ShopLaw = keyof typeof LAWS;

/** The law that a finding breaks. */
export function lawOf(finding: Finding): ShopLaw {
  if (finding.at !== 'probe') {
    return finding.at === 'response' ? 'accepted' : 'reachable';
  }
  if (!finding.isTooMuch) {
    return 'kept';
  }
  switch (finding.field) {
    case 'fulfilled':
      return 'once';
    case 'refunded_minor':
      return 'refunded';
    default:
      return 'paid';
  }
}
