import type { Consequence } from '../domain/resource-change.ts';
import type { World } from '../domain/world.ts';
import type { Write } from './commit.ts';
import { keyOf } from './keys.ts';

type LinkUse = Extract<Consequence, { readonly kind: 'link-use' }>;

/** Whether a use is left; `:none` is `NULL`. */
const IS_FREE = '(attribute_type(maxUses, :none) OR takenUses < maxUses)';

/**
 * Counts what became of a payment from a link: it begins, it was paid, or its use is free again. The guard is in the write
 * itself: however many ask at once, no more get a use than the link allows (contract §7). Money that comes when the use
 * was given back takes another one, of a disabled link too: who finds none counts it as overpaid (`overpayLink`).
 */
export function countLinkUses(world: World, { linkId, uses, taken, isNew }: LinkUse): Write {
  const isTaking = taken > 0;
  return {
    update: {
      key: keyOf('paymentLink', world, linkId),
      expression: 'SET uses = uses + :uses, takenUses = takenUses + :taken, #version = #version + :one',
      condition: [isTaking ? IS_FREE : 'attribute_exists(pk)', ...(isNew ? ['#status = :active'] : [])].join(
        ' AND ',
      ),
      names: { '#version': 'version', ...(isNew && { '#status': 'status' }) },
      values: {
        ':uses': uses,
        ':taken': taken,
        ':one': 1,
        ...(isTaking && { ':none': 'NULL' }),
        ...(isNew && { ':active': 'active' }),
      },
    },
  };
}
