import type { PaymentLinkInput } from '../domain/payment-link.ts';
import type { World } from '../domain/world.ts';
import { invalidFields } from '../errors/problem.ts';
import { errorsBelow, leastOf, readTerms } from './read-terms.ts';

/**
 * Requires that the provider of a live world can accept the amount of a payment link (contract §15).
 * @throws Problem `validation_failed`
 */
export async function requirePayable(world: World, { amount }: PaymentLinkInput): Promise<void> {
  const leastMinor = leastOf(await readTerms(world));
  const errors = [
    ...errorsBelow(leastMinor, 'amount.fixed', amount.fixed),
    ...errorsBelow(leastMinor, 'amount.max', amount.max),
  ];
  if (errors.length > 0) {
    throw invalidFields(errors);
  }
}
