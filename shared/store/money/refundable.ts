import type { Consequence } from '../../domain/resource-change.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { update } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';

type OfRefund = Extract<Consequence, { readonly paymentId: string }>;

/**
 * What a refund does to its payment's amounts. The condition is part of the write, so that concurrent refunds never
 * take more than is left (contract §6).
 */
const CHANGES = {
  hold: {
    expression: 'refundableMinor = refundableMinor - :amount',
    condition: '#status = :succeeded AND refundableMinor >= :amount',
  },
  release: { expression: 'refundableMinor = refundableMinor + :amount', condition: 'attribute_exists(pk)' },
  'paid-back': { expression: 'refundedMinor = refundedMinor + :amount', condition: 'attribute_exists(pk)' },
} as const;

/** A refund of all that is left is decided again where more, or less, is left than was read. */
const HOLD_ALL = {
  ...CHANGES.hold,
  condition: '#status = :succeeded AND refundableMinor = :amount',
} as const;

export function changeRefundable(world: World, { kind, paymentId, amount, isAll }: OfRefund): Write {
  const { expression, condition } = isAll === true ? HOLD_ALL : CHANGES[kind];
  const isHold = kind === 'hold';
  return update(keyOf('payment', world, paymentId), `SET ${expression}, #version = #version + :one`, {
    condition,
    names: { '#version': 'version', ...(isHold && { '#status': 'status' }) },
    values: { ':amount': amount.minor, ':one': 1, ...(isHold && { ':succeeded': 'succeeded' }) },
  });
}
