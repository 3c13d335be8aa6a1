import type { AddressVerdict } from '../call/gate.ts';
import type { KeyVerdict } from '../call/judge-key.ts';
import { frameTexts } from './frame-texts.ts';

/** Why a key is not used, in words. */
export const KEY_REFUSALS: Readonly<Record<Exclude<KeyVerdict, 'test'>, string>> = frameTexts.refusals;

/** Whether this cannot become a test key, however it is continued. */
export function refusedKey(verdict: KeyVerdict): verdict is 'live' | 'other' | 'malformed' {
  return verdict === 'live' || verdict === 'other' || verdict === 'malformed';
}

/** Why a key of an address is not used; empty if it is, or may be. */
export function refusalOfAddressKey(verdict: AddressVerdict | null): string {
  return verdict === null || verdict === 'test' || verdict === 'replaces' ? '' : KEY_REFUSALS[verdict];
}
