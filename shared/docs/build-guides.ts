import { readFileSync } from 'node:fs';
import { Marked } from 'marked';
import { anchorOf } from './anchor-of.ts';
import { withExamQuestions } from './exam-section.ts';

/** A guide: `guides/{name}.md` or the change log, which begins with its title and a sentence that says what it is for. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly markdown: string;
  readonly html: string;
}

/** In the order in which one reads them. */
export const GUIDE_NAMES = [
  'first-payment',
  'idempotency',
  'webhooks',
  'stacks',
  'webhooks-javascript',
  'webhooks-python',
  'webhooks-go',
  'webhooks-java',
  'webhooks-php',
  'webhooks-ruby',
  'testing',
  'exam',
  'test-worlds',
  'scenarios',
  'refunds',
  'errors',
  'lists',
  'going-live',
  'troubleshooting',
  'changelog',
] as const;

/** What a fence is called above its code, by the first word after it, unless the third one is the name of a file. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  php: 'PHP',
  ruby: 'Ruby',
  xml: 'XML',
  json: 'JSON',
  yaml: 'YAML',
};

/** Reads the guides and makes HTML of them, once: when functions are bundled, or when the local service needs them. */
export function buildGuides(): Guide[] {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code({ text, lang = '' }) {
        const [language = '', , part = ''] = lang.split(' ');
        const name = part.includes('.') ? part : (LANGUAGES[language] ?? language);
        return `<p class="of">${name}</p>\n<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
    },
  });
  return GUIDE_NAMES.map((name) => {
    const markdown = name === 'changelog' ? readChanges() : withExamQuestions(read(`guides/${name}.md`));
    const [, title = '', summary = ''] = /^# (.+)\n\n(.+)\n/.exec(markdown) ?? [];
    return { name, title, summary, markdown, html: marked.parse(markdown, { async: false }) };
  });
}

/** The file for those who read the repository. What it links to there has no page of its own. */
function readChanges(): string {
  return read('../../CHANGELOG.md').replaceAll(/\[([^\]]+)\]\(shared\/[^)]+\)/g, '$1');
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
