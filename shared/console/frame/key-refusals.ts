import type { AddressVerdict } from '../call/gate.ts';
import type { KeyVerdict } from '../call/judge-key.ts';

/** Why a key is not used, in words. */
export const KEY_REFUSALS: Readonly<Record<Exclude<KeyVerdict, 'test'>, string>> = {
  empty: 'Enter a test key. It begins with pg_test_.',
  unfinished: 'This test key is incomplete. Enter all of it.',
  malformed: 'This is not a test key: only letters and digits may follow pg_test_.',
  live: 'Live key refused. The console makes test-mode calls only: nothing was sent, and the key was forgotten. Use a key that begins with pg_test_.',
  other: 'Refused: this does not begin with pg_test_. Nothing was sent, and what you entered was forgotten.',
};

/** Whether this cannot become a test key, however it is continued. */
export function refusedKey(verdict: KeyVerdict): verdict is 'live' | 'other' | 'malformed' {
  return verdict === 'live' || verdict === 'other' || verdict === 'malformed';
}

/** Why a key of an address is not used; empty if it is, or may be. */
export function refusalOfAddressKey(verdict: AddressVerdict | null): string {
  return verdict === null || verdict === 'test' || verdict === 'replaces' ? '' : KEY_REFUSALS[verdict];
}
