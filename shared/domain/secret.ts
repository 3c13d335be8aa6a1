import { createHash, randomInt } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** Characters drawn from the operating system's CSPRNG, each equally likely. */
function randomText(alphabet: string, chars: number): string {
  return Array.from({ length: chars }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function randomBase62(chars: number): string {
  return randomText(BASE62, chars);
}

export function randomCrockford(chars: number): string {
  return randomText(CROCKFORD, chars);
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A number as a fixed count of base62 digits. */
export function toBase62(value: number, chars: number): string {
  let rest = value;
  let digits = '';
  for (let place = 0; place < chars; place += 1) {
    digits = `${BASE62[rest % BASE62.length]}${digits}`;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}
