import { shellWord } from './curl-command.ts';
import type { ShopAddresses } from './shop.ts';

/** The options that name a shop, for a command that is typed again. */
export function shopOptions({ receiver, order, probe }: ShopAddresses): string {
  return [
    `--receiver ${shellWord(receiver)}`,
    ...(order === null ? [] : [`--order ${shellWord(order)}`]),
    ...(probe === null ? [] : [`--probe ${shellWord(probe)}`]),
  ].join(' ');
}
