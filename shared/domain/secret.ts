import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto';

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

/** HMAC-SHA-256: 32 bytes, unguessable without the key, and the same each time for the same key and label. */
export function derivedBytes(key: string, label: string): Buffer {
  return createHmac('sha256', key).update(label).digest();
}

/** Base62 text derived from a key: up to 32 characters keep the bias below 2^-64. */
export function derivedBase62(key: string, label: string, chars: number): string {
  return derivedText(BASE62, key, label, chars);
}

export function derivedCrockford(key: string, label: string, chars: number): string {
  return derivedText(CROCKFORD, key, label, chars);
}

function derivedText(alphabet: string, key: string, label: string, chars: number): string {
  return digitsOf(BigInt(`0x${derivedBytes(key, label).toString('hex')}`), alphabet, chars).join('');
}

/** The last digits of a number in the base of an alphabet, from the lowest on. */
function digitsOf(value: bigint, alphabet: string, howMany: number): string[] {
  const base = BigInt(alphabet.length);
  let rest = value;
  return Array.from({ length: howMany }, () => {
    const digit = alphabet.charAt(Number(rest % base));
    rest /= base;
    return digit;
  });
}

const SIGNING_SECRET_BYTES = 32;

/**
 * A secret that signs deliveries, in the form of Standard Webhooks.
 * @param bytes 32 unguessable bytes
 */
export function newSigningSecret(bytes: Buffer = randomBytes(SIGNING_SECRET_BYTES)): string {
  return `whsec_${bytes.toString('base64')}`;
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A number as a fixed count of base62 digits. */
export function toBase62(value: number, chars: number): string {
  return digitsOf(BigInt(value), BASE62, chars).reverse().join('');
}
