/** Words as a sentence lists them: `a, b and c`. The first use of `Intl` takes 25 ms, which every start would wait for. */
export function wordList(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${conjunction} ${last}`;
}
