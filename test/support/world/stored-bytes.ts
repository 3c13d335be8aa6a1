const COLLECTION_BYTES = 3;

/** How many bytes DynamoDB counts for an item: the names of its attributes and their values. */
export function storedBytes(item: object): number {
  const kept = Object.entries(item).filter(([, value]) => value !== undefined);
  return sum(kept.map(([name, value]) => Buffer.byteLength(name) + bytesOf(value)));
}

function bytesOf(value: unknown): number {
  if (typeof value === 'string') {
    return Buffer.byteLength(value);
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    // Two digits in a byte, one byte more, and one for a minus.
    return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 1 + (value < 0 ? 1 : 0);
  }
  if (value instanceof Uint8Array) {
    return value.length;
  }
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  const members = Object.values(value);
  const inner = Array.isArray(value) ? sum(members.map(bytesOf)) : storedBytes(value);
  return COLLECTION_BYTES + members.length + inner;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
