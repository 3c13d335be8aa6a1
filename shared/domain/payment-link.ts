import { invalidFields } from '../errors/problem.ts';
import { DAY_MS, MINUTE_MS } from './clock.ts';
import { type Machine, nextState } from './machine.ts';
import { AMOUNT_MIN_MINOR, type Currency, type Money } from './money.ts';
import { canExpire, type Metadata, type Payment, type PaymentInput, UNCHOSEN_MINUTES } from './payment.ts';
import { nextVersion, type ResourceChange } from './resource-change.ts';
import { randomBase62, randomCrockford } from './secret.ts';

export const LINK_STATUSES = ['active', 'disabled'] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];
type LinkCommand = 'disable';

/** The life of a payment link (contract §7). Disabling twice is the same as once. */
export const linkMachine: Machine<LinkStatus, LinkCommand> = {
  active: { disable: 'disabled' },
  disabled: { disable: 'disabled' },
};

export const AMOUNT_TYPES = ['fixed', 'open'] as const;
type AmountType = (typeof AMOUNT_TYPES)[number];
export const COLLECT_RULES = ['required', 'optional', 'off'] as const;
type CollectRule = (typeof COLLECT_RULES)[number];

export const MAX_USES_MAX = 1_000_000;
/** The most that a link with an open amount takes where the merchant set no maximum: one million baht (contract §7). */
export const OPEN_AMOUNT_MAX_MINOR = 100_000_000;
/**
 * How many forms a link takes in a minute of real time: in all, and from one address, so that one sender who floods
 * the link does not lock out the others (contract §7).
 */
export const LINK_POSTS_PER_MINUTE = 120;
export const LINK_POSTS_PER_SOURCE = 20;
/** How far ahead a link may expire, on the merchant's clock. */
export const LINK_EXPIRES_WITHIN_MS = 366 * DAY_MS;
/** 50 random bits (contract §7). */
const LINK_CODE_CHARS = 10;
const LINK_ATTEMPT_CHARS = 22;
/** The form of a code: other texts are not looked up. */
export const LINK_CODE = new RegExp(`^[0-9a-hjkmnp-tv-z]{${LINK_CODE_CHARS}}$`);

export interface PaymentLink {
  readonly id: string;
  readonly number: string;
  readonly version: number;
  readonly code: string;
  readonly url: string;
  readonly status: LinkStatus;
  readonly amountType: AmountType;
  readonly amount: Money | null;
  readonly minAmount: Money | null;
  readonly maxAmount: Money | null;
  readonly currency: Currency;
  readonly collect: { readonly email: CollectRule; readonly name: CollectRule; readonly phone: CollectRule };
  readonly description: string | null;
  readonly maxUses: number | null;
  /** Payments from the link that succeeded. */
  readonly uses: number;
  /** `uses` plus one for every payment from the link that can still be paid: `maxUses` limits this number. */
  readonly takenUses: number;
  /** The payment that took a use last. */
  readonly heldBy: string | null;
  readonly metadata: Metadata;
  readonly returnUrl: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number | null;
}

export interface PaymentLinkInput {
  readonly amount: {
    readonly type: AmountType;
    readonly currency?: Currency | undefined;
    readonly fixed?: Money | undefined;
    readonly min?: Money | undefined;
    readonly max?: Money | undefined;
  };
  readonly collect?:
    | { email?: CollectRule | undefined; name?: CollectRule | undefined; phone?: CollectRule | undefined }
    | undefined;
  readonly description?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly maxUses?: number | undefined;
  readonly metadata?: Metadata | undefined;
  readonly returnUrl?: string | undefined;
}

/**
 * A link's public code: people type it and QR codes carry it.
 * @param draw source of the characters: the CSPRNG by default, a derivation where a retry must get the same code
 */
export function newLinkCode(draw: (chars: number) => string = randomCrockford): string {
  return draw(LINK_CODE_CHARS);
}

/** The events of a payment link (contract §10). */
export const PAYMENT_LINK_EVENTS = [
  'payment_link.created',
  'payment_link.disabled',
  'payment_link.overpaid',
] as const;
type LinkEvent = (typeof PAYMENT_LINK_EVENTS)[number];
export type LinkChange = ResourceChange<'paymentLink', LinkEvent, PaymentLink>;

/** Creates a link, with status `active` and the defaults of contract §7. */
export function createPaymentLink(
  identity: { id: string; number: string; code: string; url: string },
  input: PaymentLinkInput,
  nowMs: number,
): LinkChange {
  const { amount, collect } = input;
  const link: PaymentLink = {
    ...identity,
    version: 1,
    status: 'active',
    amountType: amount.type,
    amount: amount.fixed ?? null,
    minAmount: amount.min ?? null,
    maxAmount: amount.max ?? null,
    currency:
      amount.currency ?? amount.fixed?.currency ?? amount.min?.currency ?? amount.max?.currency ?? 'THB',
    collect: {
      email: collect?.email ?? 'optional',
      name: collect?.name ?? 'optional',
      phone: collect?.phone ?? 'off',
    },
    description: input.description ?? null,
    maxUses: input.maxUses ?? null,
    uses: 0,
    takenUses: 0,
    heldBy: null,
    metadata: input.metadata ?? {},
    returnUrl: input.returnUrl ?? null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: input.expiresAt === undefined ? null : Date.parse(input.expiresAt),
  };
  return changeLink(null, 'payment_link.created', link);
}

/** Disables a link; null where it is disabled already. */
export function disablePaymentLink(link: PaymentLink, nowMs: number): LinkChange | null {
  const status = nextState(linkMachine, link.status, 'disable');
  if (status === link.status) {
    return null;
  }
  return changeLink(link, 'payment_link.disabled', nextVersion(link, { status }, nowMs));
}

function changeLink(before: PaymentLink | null, event: LinkEvent, after: PaymentLink): LinkChange {
  const previousStatus = before?.status ?? null;
  return { resource: 'paymentLink', before, steps: [{ event, previousStatus, after }], consequences: [] };
}

/** The idempotency key of a form on a link's page: however often the form is sent, it is one attempt to pay. */
export function newLinkAttempt(): string {
  return randomBase62(LINK_ATTEMPT_CHARS);
}

/** Why a link takes no payment (contract §7). `reserved`: what is left of its uses is held by payers who have not paid. */
export type Unavailability = 'disabled' | 'expired' | 'exhausted' | 'reserved';

export function unavailabilityOf(link: PaymentLink, nowMs: number): Unavailability | null {
  if (link.status === 'disabled') {
    return 'disabled';
  }
  if (link.expiresAtMs !== null && nowMs >= link.expiresAtMs) {
    return 'expired';
  }
  const { maxUses, uses, takenUses } = link;
  if (maxUses === null || takenUses < maxUses) {
    return null;
  }
  return uses < maxUses ? 'reserved' : 'exhausted';
}

/**
 * When a payer who finds all uses reserved can come back: once the payment that took one last has expired. Where that
 * has ended otherwise, or its money may be on its way, an older one holds a use: for no longer than most of them do.
 */
export function reservedUntilMs(holder: Payment | null, nowMs: number): number {
  return holder !== null && canExpire(holder)
    ? // Its expiry is recorded within a minute.
      Math.max(holder.expiresAtMs, nowMs + MINUTE_MS)
    : nowMs + UNCHOSEN_MINUTES * MINUTE_MS;
}

/** Whether a link takes a payment of this amount. */
export function takesAmount(link: PaymentLink, amount: Money): boolean {
  const { least, most } = amountBounds(link);
  return amount.currency === link.currency && amount.minor >= least && amount.minor <= most;
}

/** The least and the most that a payer can pay by a link, in minor units. */
export function amountBounds({ amount, minAmount, maxAmount }: PaymentLink): { least: number; most: number } {
  return amount === null
    ? { least: minAmount?.minor ?? AMOUNT_MIN_MINOR, most: maxAmount?.minor ?? OPEN_AMOUNT_MAX_MINOR }
    : { least: amount.minor, most: amount.minor };
}

/** What a payer fills in on the page of a link. */
export interface LinkPayer {
  readonly amount: Money;
  readonly customer: NonNullable<PaymentInput['customer']>;
}

/**
 * The input of the payment that a link's payer starts. The payer chooses the method later, on the payment's page.
 * @throws Problem `validation_failed` where the link does not take the amount
 */
export function paymentInputFromLink(link: PaymentLink, { amount, customer }: LinkPayer): PaymentInput {
  if (!takesAmount(link, amount)) {
    const { least, most } = amountBounds(link);
    throw invalidFields([
      {
        code: 'conflict',
        field: 'amount',
        message: `must be within the bounds of the link: ${least} to ${most} satang`,
      },
    ]);
  }
  return {
    amount,
    customer,
    checkout: true,
    expiresInMinutes: UNCHOSEN_MINUTES,
    metadata: link.metadata,
    ...(link.description !== null && { description: link.description }),
    ...(link.returnUrl !== null && { returnUrl: link.returnUrl }),
  };
}

/**
 * The change of a link when money comes late, after its payment released its use, and all uses are taken by then: the
 * money is kept, and `payment_link.overpaid` reports it (contract §7). Null where a use is free.
 */
export function overpayLink(link: PaymentLink, nowMs: number): LinkChange | null {
  if (link.maxUses === null || link.takenUses < link.maxUses) {
    return null;
  }
  const counted = { uses: link.uses + 1, takenUses: link.takenUses + 1 };
  return changeLink(link, 'payment_link.overpaid', nextVersion(link, counted, nowMs));
}
