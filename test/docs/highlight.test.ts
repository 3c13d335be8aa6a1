import { describe, expect, it } from 'vitest';
import { highlight } from '../../shared/docs/highlight.ts';
import { html } from '../../shared/pages/html.ts';
import { withoutTags } from '../support/browser/html-tags.ts';
import { SAMPLES } from '../support/tools/guide-samples.ts';

/** The parts of a kind: c (comment), s (text), k (word) or n (number). */
function partsOf(kind: string, code: string, language: string): string[] {
  const found = highlight(code, language).text.matchAll(/<span class="(\w)">(.*?)<\/span>/gs);
  return [...found].filter(([, of]) => of === kind).map(([, , text = '']) => text);
}

describe('highlighted code', () => {
  it('is the same text, in every sample of the guides', () => {
    expect(SAMPLES.length).toBeGreaterThan(50);
    for (const { code, language } of SAMPLES) {
      expect(withoutTags(highlight(code, language).text)).toBe(html`${code}`.text);
    }
  });

  it.each([
    ['sh', `curl -d '{"a":1}' # sends`, 'curl', '# sends'],
    ['ts', 'const a = 1; // one', 'const', '// one'],
    ['python', 'return None  # nothing', 'return', '# nothing'],
    ['go', 'func main() {} // starts', 'func', '// starts'],
    ['php', 'return null; // nothing', 'return', '// nothing'],
  ])('has in %s words and comments', (language, code, word, comment) => {
    expect(partsOf('k', code, language)).toContain(word);
    expect(partsOf('c', code, language)).toEqual([comment]);
  });

  it('takes an address for no comment, a method for no word, and leaves unknown languages alone', () => {
    expect(partsOf('c', "get('https://a.example')", 'ts')).toEqual([]);
    expect(partsOf('k', 'client.return(id)', 'ts')).toEqual([]);
    expect(highlight('<a>1</a>', 'xml').text).toBe('&lt;a&gt;1&lt;/a&gt;');
  });
});
