/** How many letters may differ, for each letter of the word: `refnd` is near to `refund`, `cat` is not near to `dog`. */
const DIFFERENCE_MAX = 0.4;

/** The word that needs the fewest changes of letters to become the given one; undefined if none is near. */
export function nearestWord(given: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, distance: distanceBetween(given.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, distance }) => distance <= Math.max(given.length, word.length) * DIFFERENCE_MAX);
  return near.toSorted((a, b) => a.distance - b.distance)[0]?.word;
}

/** The edit distance of two words by Wagner and Fischer: how many letters to add, drop, replace or swap with the next. */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        Number(last[column]) + 1,
        Number(current[column - 1]) + 1,
        Number(last[column - 1]) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? Number(beforeLast[column - 2]) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return Number(last[to.length]);
}
