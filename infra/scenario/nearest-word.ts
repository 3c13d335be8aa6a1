import { distance } from 'fastest-levenshtein';

/** How many letters may differ, for each letter of the word: `sikn` is near to `sink`, `cat` is not near to `dog`. */
const DIFFERENCE_MAX = 0.5;

/** The word that needs the fewest changes of letters to become the given one; undefined if none is near. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, changes: distance(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, changes }) => changes <= Math.max(given.length, word.length) * DIFFERENCE_MAX);
  return near.toSorted((a, b) => a.changes - b.changes)[0]?.word;
}
