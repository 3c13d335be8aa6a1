import type { Consequence } from '../../domain/resource-change.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { update } from '../table/item.ts';
import { keyOf } from '../table/keys.ts';

type LinkUse = Extract<Consequence, { readonly kind: 'link-use' }>;

/** Condition that a use is left; `:none` is `NULL`. */
const IS_FREE = '(attribute_type(maxUses, :none) OR takenUses < maxUses)';

/**
 * Changes a link's counts when one of its payments begins, is paid, or releases its use. The condition is part of the
 * write, so that concurrent payers never get more uses than the link allows (contract §7). Late money takes a new use,
 * even of a disabled link; where none is left, it is counted as overpaid instead (`overpayLink`).
 */
export function countLinkUses(world: World, { linkId, uses, taken, newPaymentId }: LinkUse): Write {
  const isTaking = taken > 0;
  const isNew = newPaymentId !== null;
  const counts = 'uses = uses + :uses, takenUses = takenUses + :taken, #version = #version + :one';
  return update(keyOf('paymentLink', world, linkId), `SET ${counts}${isNew ? ', heldBy = :payment' : ''}`, {
    condition: [isTaking ? IS_FREE : 'attribute_exists(pk)', ...(isNew ? ['#status = :active'] : [])].join(
      ' AND ',
    ),
    names: { '#version': 'version', ...(isNew && { '#status': 'status' }) },
    values: {
      ':uses': uses,
      ':taken': taken,
      ':one': 1,
      ...(isTaking && { ':none': 'NULL' }),
      ...(isNew && { ':active': 'active', ':payment': newPaymentId }),
    },
  });
}
