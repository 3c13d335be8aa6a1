import type { RequiredResponse } from './manners.ts';
import type { ProbeDifference } from './order-book.ts';
import { ShopError } from './shop.ts';

/** What a shop did wrong, as far as two failures for one reason have it in common. */
export type Finding =
  | {
      readonly at: 'response';
      readonly must: RequiredResponse;
      readonly status: number | null;
      readonly type: string;
    }
  | { readonly at: 'probe'; readonly field: ProbeDifference['field']; readonly isTooMuch: boolean }
  | { readonly at: 'address'; readonly said: string };

const SERVER_ERROR_MIN = 500;
const REFERENCE = /exam-[\da-f-]{36}/g;

/** An error of the server, or no response. */
export function isBroken(status: number | null): boolean {
  return status === null || status >= SERVER_ERROR_MIN;
}

/** How an act went, and how it should have gone. */
interface ShopDifference {
  readonly finding: Finding;
  readonly expected: string;
  readonly actual: string;
}

/** The shop did not do what it must. */
export class ShopFailure extends Error {
  /** Two failures of one kind have the same. */
  readonly kind: string;
  readonly finding: Finding;
  readonly expected: string;
  readonly actual: string;

  constructor(kind: string, { finding, expected, actual }: ShopDifference) {
    super(`expected ${expected}, but ${actual}`);
    this.name = 'ShopFailure';
    this.kind = kind;
    this.finding = finding;
    this.expected = expected;
    this.actual = actual;
  }
}

/** What an error says of the shop, also of an address for tests that did not respond as §19 says; null for any other. */
export function shopFailureIn(error: unknown): ShopFailure | null {
  if (!(error instanceof ShopError)) {
    return error instanceof ShopFailure ? error : null;
  }
  const { message } = error;
  // Each order has another reference.
  const finding: Finding = { at: 'address', said: message.replaceAll(REFERENCE, 'exam-…') };
  return new ShopFailure('shop', { finding, expected: 'an answer as the exam needs it', actual: message });
}
