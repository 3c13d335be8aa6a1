const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/** The 128 bits of a TypeID suffix as the UUID that they are. */
export function uuidOf(suffix: string): string {
  let bits = 0n;
  for (const character of suffix) {
    const value = CROCKFORD.indexOf(character);
    if (value < 0) {
      throw new Error(`${character} is not a character of Crockford's base32`);
    }
    bits = bits * 32n + BigInt(value);
  }
  const hex = bits.toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** What RFC 9562 puts into the places of a UUID that say what it is. */
export function readUuid(uuid: string): { version: number; variant: number; unixMs: number } {
  const hex = uuid.replaceAll('-', '');
  return {
    version: Number.parseInt(hex.charAt(12), 16),
    variant: Number.parseInt(hex.charAt(16), 16) >> 2,
    unixMs: Number.parseInt(hex.slice(0, 12), 16),
  };
}
