const THAI_DIGIT_ZERO = '๐'.charCodeAt(0);
/** What contacts and web pages put around a number to keep its direction, and cannot be seen. */
const UNSEEN = /\p{Cf}/gu;
const SPACES = /\p{Zs}/gu;

/** A text with its digits as 0 to 9: without invisible characters, full-width forms and Thai digits. */
export function withPlainDigits(text: string): string {
  return text
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(/[๐-๙]/g, (digit) => String(digit.charCodeAt(0) - THAI_DIGIT_ZERO))
    .replace(SPACES, ' ')
    .trim();
}
