import { timingSafeEqual } from 'node:crypto';
import { DAY_MS } from './clock.ts';
import { newId } from './id.ts';
import type { Payment } from './payment.ts';
import { derivedBase62 } from './secret.ts';
import { WORLD_ID_CHARS } from './world.ts';

const ID_CHARS = newId('pay', 0).length - 'pay_'.length;
/** 131 random bits. */
const SECRET_CHARS = 22;
/** How long the payer's page stays after the payment's last step (contract §5), on the merchant's clock. */
const KEPT_MS = 30 * DAY_MS;
const FORM = new RegExp(`^[0-9a-z]{${WORLD_ID_CHARS + ID_CHARS}}[0-9A-Za-z]{${SECRET_CHARS}}$`);

/** Locates a payment, and proves that the sender of the token was given the address. */
export interface PageToken {
  readonly worldId: string;
  readonly paymentId: string;
  readonly secret: string;
}

/** @param key unguessable; a retry must derive the same secret */
export function derivedPageSecret(key: string, label: string): string {
  return derivedBase62(key, label, SECRET_CHARS);
}

/**
 * The token in the address of a payer's page. It holds the ids of world and payment, so no look-up item is stored, and
 * the payment's own secret, so one page's address does not lead to another's.
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
    worldId: text.slice(0, WORLD_ID_CHARS),
    paymentId: `pay_${text.slice(WORLD_ID_CHARS, WORLD_ID_CHARS + ID_CHARS)}`,
    secret: text.slice(WORLD_ID_CHARS + ID_CHARS),
  };
}

/** The secret in the address of a payment's QR image. The page's secret cannot be computed from it. */
export function qrSecretOf(pageSecret: string): string {
  return derivedBase62(pageSecret, 'qr', SECRET_CHARS);
}

/** The address of a payment's QR image: the page's address with the QR secret instead of the page secret. */
export function qrAddressOf({ pageUrl, pageSecret }: Pick<Payment, 'pageUrl' | 'pageSecret'>): string {
  return `${pageUrl.slice(0, -pageSecret.length)}${qrSecretOf(pageSecret)}/qr.svg`;
}

/** Whether a payment's page is over: its addresses lead nowhere then. Takes the payment as of now (`paymentAsOf`). */
export function isPageOver({ updatedAtMs }: Pick<Payment, 'updatedAtMs'>, nowMs: number): boolean {
  return nowMs >= updatedAtMs + KEPT_MS;
}

/** Compares in constant time, so that a secret cannot be found character by character. */
export function isPageSecret(expected: string, given: string): boolean {
  const [right, tried] = [Buffer.from(expected), Buffer.from(given)];
  return right.length === tried.length && timingSafeEqual(right, tried);
}

/**
 * Replaces the tokens of a world's pages in a text, by the payment that each leads to. A token that the end of the text
 * may have cut is left out.
 */
export function replacePageTokens(
  text: string,
  worldId: string,
  replace: (token: { readonly paymentId: string; readonly isQr: boolean }) => PageToken,
): string {
  const tokens = new RegExp(`(?<=/checkout/)${worldId}([0-9A-Za-z]*)(/qr\\.)?`, 'g');
  return text.replace(tokens, (whole: string, rest: string, picture: string | undefined, at: number) => {
    if (at + whole.length === text.length) {
      return '…';
    }
    const token = parsePageToken(`${worldId}${rest}`);
    const isQr = picture !== undefined;
    return token === null
      ? whole
      : formatPageToken(replace({ paymentId: token.paymentId, isQr })) + (picture ?? '');
  });
}
