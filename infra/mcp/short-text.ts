const SENTENCE_END = /(?<=\.) (?=[A-Z`])/;
const MORE = ' …';

/**
 * The beginning of a text, in whole sentences: as many as fit, and the first one in any case. ` …` at its end says that
 * more follows.
 */
export function shortText(text: string, maxChars: number): string {
  const [first = '', ...rest] = text.split(SENTENCE_END);
  let short = first;
  for (const sentence of rest) {
    if (short.length + 1 + sentence.length > maxChars) {
      return `${short}${MORE}`;
    }
    short += ` ${sentence}`;
  }
  return short;
}
