import { DAY_MS, SECOND_MS } from '../../domain/clock.ts';
import { CHOICES_MAX, type Payment } from '../../domain/payment.ts';
import type { World } from '../../domain/world.ts';
import type { Write } from '../table/commit.ts';
import { update } from '../table/item.ts';
import { choicesKey } from '../table/keys.ts';
import { TABLE } from '../table/table.ts';

/** A payment from a link may get a day more when its payer chooses. */
const KEPT_MS = 2 * DAY_MS;

/**
 * Counts a choice on a payer's page before the request to its provider, and conflicts after too many. The count is an
 * item of its own: in the payment, it would conflict with the choice itself.
 */
export function countChoice(world: World, { id, expiresAtMs }: Payment): Write {
  return update(choicesKey(world, id), 'SET #ttl = :ttl ADD choices :one', {
    condition: 'attribute_not_exists(choices) OR choices < :max',
    names: { '#ttl': TABLE.ttl },
    values: {
      ':ttl': Math.ceil((expiresAtMs + KEPT_MS) / SECOND_MS),
      ':one': 1,
      ':max': CHOICES_MAX,
    },
  });
}
