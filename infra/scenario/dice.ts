import { createHash } from 'node:crypto';

const BYTES = 6;
const SIDES = 2 ** (BYTES * 8);

/**
 * A number from 0 to less than 1, from a seed and what it is for alone: each purpose has dice of its own, so that one
 * throw less changes no other.
 */
export function roll(seed: number, ...purpose: readonly string[]): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...purpose]))
    .digest();
  return digest.readUIntBE(0, BYTES) / SIDES;
}
