import { withPlainDigits } from './plain-digits.ts';

/** Enough for every way to write a number of 15 digits. */
export const PHONE_MAX_CHARS = 40;

const E164 = /^\+[1-9]\d{6,14}$/;
/** Without its 0: nine digits of a mobile phone, or eight of another one. */
const THAI_NUMBER = /^[1-9]\d{7,8}$/;
const THAI_MOBILE = /^[689]\d{8}$/;
const DASHES = /[\p{Pd}\u2212]/gu;
/** Digits in groups, each alone or in parentheses, with a space, hyphen or dot between two of them. */
const WRITTEN = /^(?:\+ ?)?(?:\(\d{1,5}\)|\d)(?: ?[-.]? ?(?:\(\d{1,5}\)|\d))*$/;

/**
 * A phone number as Thai people write it, as E.164; null for what cannot be one. Takes E.164 and the national format
 * (`0…`), with spaces, hyphens, dots and parentheses, in Thai and full-width digits too. The 0 of `+66 (0)81…` is dropped,
 * and so are 00 before a country code and the missing + of a Thai mobile number (`66812345678`).
 */
export function toE164(text: string): string | null {
  const written = withPlainDigits(text)
    .replace(DASHES, '-')
    .replace(/^\(\+(\d{1,3})\)/, '+$1');
  if (text.length > PHONE_MAX_CHARS || !WRITTEN.test(written)) {
    return null;
  }
  const number = written.replace(/[^+\d]/g, '').replace(/^00/, '+');
  const thai = /^(?:\+660?|0)(.*)/.exec(number)?.[1];
  if (thai !== undefined) {
    return THAI_NUMBER.test(thai) ? `+66${thai}` : null;
  }
  const unmarked = /^660?(.*)/.exec(number)?.[1] ?? '';
  if (THAI_MOBILE.test(unmarked)) {
    return `+66${unmarked}`;
  }
  return E164.test(number) ? number : null;
}
