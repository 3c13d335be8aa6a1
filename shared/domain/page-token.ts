import { timingSafeEqual } from 'node:crypto';
import { newId } from './id.ts';
import { randomBase62 } from './secret.ts';
import { WORLD_ID_CHARS } from './world.ts';

const WORLD_CHARS = WORLD_ID_CHARS;
const ID_CHARS = newId('pay', 0).length - 'pay_'.length;
/** 131 random bits. */
const SECRET_CHARS = 22;
const FORM = new RegExp(`^[0-9a-z]{${WORLD_CHARS + ID_CHARS}}[0-9A-Za-z]{${SECRET_CHARS}}$`);

/** Says where a payment is stored and proves that its holder was given the address. */
export interface PageToken {
  readonly worldId: string;
  readonly paymentId: string;
  readonly secret: string;
}

/** @param draw where its characters come from: the CSPRNG, unless the same secret must come out again */
export function newPageSecret(draw: (chars: number) => string = randomBase62): string {
  return draw(SECRET_CHARS);
}

/**
 * The token in the address of a payer's page. It carries the place of the payment, so that no look-up item is stored,
 * and a secret of the payment's own, so that no other page's address can be derived from it.
 */
export function formatPageToken({ worldId, paymentId, secret }: PageToken): string {
  return `${worldId}${paymentId.slice('pay_'.length)}${secret}`;
}

/** The parts of a token, or null where the text cannot be one. */
export function parsePageToken(text: string): PageToken | null {
  if (!FORM.test(text)) {
    return null;
  }
  return {
    worldId: text.slice(0, WORLD_CHARS),
    paymentId: `pay_${text.slice(WORLD_CHARS, WORLD_CHARS + ID_CHARS)}`,
    secret: text.slice(WORLD_CHARS + ID_CHARS),
  };
}

/** Compares in constant time, so that a secret cannot be found character by character. */
export function isPageSecret(expected: string, given: string): boolean {
  const [right, tried] = [Buffer.from(expected), Buffer.from(given)];
  return right.length === tried.length && timingSafeEqual(right, tried);
}
