import { setFlagsFromString } from 'node:v8';

/**
 * Lets each thread that starts from now on, and this one, keep 2 MB for new objects instead of 16: a service that has
 * just started has not filled more, and it takes as many payments in a second.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--min-semi-space-size=1');
  setFlagsFromString('--max-semi-space-size=2');
}
