import type { World } from '../domain/world.ts';
import type { Change } from './commit.ts';
import { linkKey } from './keys.ts';

/** Whether a use is left; `:none` is `NULL`. */
const IS_FREE = '(attribute_type(maxUses, :none) OR takenUses < maxUses)';

/**
 * Takes one use of a link for a payment that is about to be made from it. The guard is in the write itself: however
 * many ask at once, no more get one than the link allows (contract §7).
 */
export function takeLinkUse(world: World, linkId: string): Change {
  return {
    update: {
      key: linkKey(world, linkId),
      expression: 'SET takenUses = takenUses + :one, #version = #version + :one',
      condition: `#status = :active AND ${IS_FREE}`,
      names: { '#status': 'status', '#version': 'version' },
      values: { ':one': 1, ':active': 'active', ':none': 'NULL' },
    },
  };
}

/**
 * Counts what became of a payment from a link: it was paid, or its use is free again. Money that comes when the use was
 * given back takes another one, if there is one: who finds none counts it as overpaid (`overpayLink`).
 */
export function countLinkUses(
  world: World,
  linkId: string,
  { uses, takenUses }: { readonly uses: number; readonly takenUses: number },
): Change {
  return {
    update: {
      key: linkKey(world, linkId),
      expression: 'SET uses = uses + :uses, takenUses = takenUses + :taken, #version = #version + :one',
      condition: takenUses > 0 ? IS_FREE : 'attribute_exists(pk)',
      names: { '#version': 'version' },
      values: { ':uses': uses, ':taken': takenUses, ':one': 1, ...(takenUses > 0 && { ':none': 'NULL' }) },
    },
  };
}
