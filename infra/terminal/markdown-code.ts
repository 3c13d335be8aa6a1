import { cleanText } from './clean-text.ts';

/**
 * A text from outside as code in Markdown, where nothing is a link, an image, a mention or HTML. The fence is longer than
 * any run of backticks in it.
 */
export function markdownCode(text: string): string {
  const cleaned = cleanText(text).trim();
  const longest = Math.max(0, ...[...cleaned.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${cleaned}${fence}` : `${fence} ${cleaned} ${fence}`;
}
