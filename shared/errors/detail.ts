import type { DetailedCode, DetailsOf } from './catalogue.ts';
import type { Problem } from './problem.ts';

/**
 * What a problem with details says: their values, and what to do. They are the service's own values, never received ones
 * (contract §2). `invalid_state` is worded where its operation is known.
 */
const SENTENCES: {
  readonly [Code in Exclude<DetailedCode, 'invalid_state'>]: (details: DetailsOf<Code>) => string;
} = {
  permission_denied: ({ required }) =>
    typeof required === 'string'
      ? `The key lacks the permission ${required}. Use a key that has it.`
      : `The key lacks the permissions ${required.join(', ')}. Use a key that has them.`,
  link_unavailable: ({ reason }) => LINK_SENTENCES[reason],
  settlement_exists: ({ settled_minor }) =>
    `The day is settled with ${moneyOf(settled_minor)}. Settle another day, or repeat this amount to get the existing result again.`,
  refund_amount_exceeded: ({ refundable_minor }) =>
    refundable_minor === 0
      ? 'Nothing is left to refund: 0.00 THB. Refunds in progress count as refunded.'
      : `At most ${moneyOf(refundable_minor)} is left to refund. Refunds in progress count as refunded.`,
  refund_window_closed: ({ closed_at }) =>
    `The payment could be refunded until ${closed_at}: for 180 days after it succeeded.`,
  amount_mismatch: ({ expected_minor }) =>
    `The amount of the payment is ${moneyOf(expected_minor)}. Omit amount or send this one; with the outcome mismatch, send another one.`,
  method_unavailable: ({ available }) =>
    `Send one of the available methods, or omit method so that the payer chooses: ${available.join(', ')}. You can use the same Idempotency-Key.`,
  provider_refused: ({ provider_code }) =>
    `The code of the provider is ${provider_code}. Send a corrected request, or the same one with the same Idempotency-Key.`,
};

const LINK_SENTENCES = {
  disabled: 'The link is disabled. Create a new link.',
  expired: 'The link has expired. Create a new link.',
  exhausted: 'The link is exhausted: it has no uses left. Create a new link.',
  reserved:
    'The uses that the link has left are reserved by payers who have not paid yet. Try again after the time in Retry-After: a payment that is not paid by then frees its use.',
} as const satisfies Record<DetailsOf<'link_unavailable'>['reason'], string>;

/** The sentence of a problem by its details; undefined for a code without one. */
export function detailOf({ code, details }: Problem): string | undefined {
  const sentence = (SENTENCES as Readonly<Record<string, (details: unknown) => string>>)[code];
  return sentence?.(details);
}

/** `300.00 THB`: the API has one currency, whose name the domain has, above this floor. */
function moneyOf(minor: number): string {
  return `${(minor / 100).toLocaleString('en', { minimumFractionDigits: 2 })} THB`;
}
