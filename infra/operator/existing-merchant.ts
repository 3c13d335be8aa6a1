import type { Merchant } from '../../shared/store/worlds/merchant.ts';
import { PROGRAM } from '../terminal/program-name.ts';

/**
 * A merchant by its name, once the store is configured for the service.
 * @throws Error with advice, if it does not exist
 */
export async function existingMerchant(name: string): Promise<Merchant> {
  const { findMerchant } = await import('../../shared/store/worlds/merchant.ts');
  const merchant = await findMerchant(name);
  if (merchant === null) {
    throw new Error(`There is no merchant ${name}. "${PROGRAM} admin merchants list" shows the names.`);
  }
  return merchant;
}
