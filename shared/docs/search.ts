import type { DocsEntry } from './contents.ts';

const FOUND_MAX = 30;
/** A word in a title or a name says more than one in a text. */
const WEIGHTS = { whole: 8, name: 4, title: 3, text: 1, more: 0.5, phrase: 2 } as const;

/**
 * The entries that have all words of a query, best first. Upper and lower case are the same; a name such as
 * `createPayment` is found by `create payment`, too.
 */
export function searchDocs(entries: readonly DocsEntry[], query: string): DocsEntry[] {
  const words = wordsOf(query);
  if (words.length === 0) {
    return [];
  }
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FOUND_MAX)
    .map(({ entry }) => entry);
}

/** 0 where a word is missing. */
function scoreOf({ name, title, text, more }: DocsEntry, words: readonly string[]): number {
  const [names, titles, texts, others] = [name, title, text, more].map(wordsOf);
  const isWhole = names?.join(' ') === words.join(' ');
  const isPhrase = [...(texts ?? []), ...(others ?? [])].join(' ').includes(words.join(' '));
  const scores = words.map((word) => {
    const isIn = (others: readonly string[] = []) => others.some((other) => other.startsWith(word));
    return (
      (isWhole ? WEIGHTS.whole : 0) +
      (isIn(names) ? WEIGHTS.name : 0) +
      (isIn(titles) ? WEIGHTS.title : 0) +
      (isIn(texts) ? WEIGHTS.text : 0) +
      (isIn(others) ? WEIGHTS.more : 0)
    );
  });
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, isPhrase ? WEIGHTS.phrase : 0);
}

/** `createPayment`, `payment.created` and `invalid_state` are two words each. */
function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}
