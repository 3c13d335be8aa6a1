import type { Money } from '../money.ts';
import type { PaymentInput, PaymentOutcome } from '../payment.ts';
import type { PaymentLinkInput } from '../payment-link.ts';
import type { PayoutOutcome } from '../payout.ts';
import type { RefundStatus } from '../refund.ts';

/** The profiles that a test world can be filled with (contract §12). */
export const SEED_PROFILES = ['small', 'month', 'e2e'] as const;
export type SeedProfile = (typeof SEED_PROFILES)[number];

/*
 * A profile is a set of scripts: what was made how long ago, and what happened to it then. `seed.ts` runs them with the
 * domain's own functions, so that a seed holds nothing that the API could not have made.
 */

interface Script {
  /** Its name in the other scripts of the profile; unique among its kind. */
  readonly key: string;
  /** How long before the seeding it was made. Differs within a kind, so that numbers sort by time. */
  readonly agoMs: number;
  /** Whether the response names it in `ids`, by its key. */
  readonly isNamed: boolean;
}

export interface PaymentScript extends Script {
  readonly input: Omit<PaymentInput, 'reference'>;
  readonly turns: readonly PaymentTurn[];
  /** Key of the link whose payer made it, if one did. */
  readonly link?: string;
}

/** What happens to a payment, `afterMs` after it was made: `choose` is the payer choosing PromptPay. */
export interface PaymentTurn {
  readonly afterMs: number;
  readonly does: PaymentOutcome | 'choose' | 'cancel';
}

export interface RefundScript extends Script {
  /** Key of a payment that succeeded before. */
  readonly payment: string;
  /** By default all that is left of the payment. */
  readonly amountMinor?: number;
  readonly reasonCode?: number;
  readonly reason?: string;
  /** The status that it has reached by now. */
  readonly reaches: RefundStatus;
}

export interface LinkScript extends Script {
  readonly input: Omit<PaymentLinkInput, 'expiresAt'>;
  readonly expiresAfterMs?: number;
  readonly disabledAfterMs?: number;
}

export interface SettlementScript extends Script {
  /** The payout of a matching statement, its own or `next`; null where the provider states the sum less its fee. */
  readonly payout: PayoutScript | 'next' | null;
}

export interface PayoutScript {
  readonly key: string;
  readonly turns: readonly { readonly afterMs: number; readonly does: PayoutOutcome }[];
}

export interface SinkScript {
  readonly key: string;
  readonly name: string;
  readonly instruction: { readonly failCount?: number; readonly respondStatus?: number } | null;
}

export interface SeedScript {
  readonly payments: readonly PaymentScript[];
  readonly refunds: readonly RefundScript[];
  readonly links: readonly LinkScript[];
  readonly settlements: readonly SettlementScript[];
  readonly sinks: readonly SinkScript[];
}

/** A link that the response names. */
export function link(
  key: string,
  agoMs: number,
  input: LinkScript['input'],
  fate: Omit<LinkScript, keyof Script | 'input'> = {},
): LinkScript {
  return { key, isNamed: true, agoMs, input, ...fate };
}

/** A settlement that the response names. */
export function settlement(key: string, agoMs: number, payout: SettlementScript['payout']): SettlementScript {
  return { key, isNamed: true, agoMs, payout };
}

export function fixed(minor: number): LinkScript['input']['amount'] {
  return { type: 'fixed', fixed: thb(minor) };
}

export function thb(minor: number): Money {
  return { currency: 'THB', minor };
}
