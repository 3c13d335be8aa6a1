import { readFileSync } from 'node:fs';
import { Marked, type Token, type Tokens } from 'marked';
import { anchorOf } from './anchor-of.ts';
import { type CodeBlock, renderSamples } from './code-block.ts';
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

/** What has tabs. */
const TABS: readonly string[] = ['curl', 'TypeScript', 'Python', 'Go', 'PHP'];

/** Reads the guides and makes HTML of them, once: when functions are bundled, or when the local service needs them. */
export function buildGuides(): Guide[] {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
    },
  });
  return GUIDE_NAMES.map((name) => {
    const markdown = name === 'changelog' ? readChanges() : withExamQuestions(read(`guides/${name}.md`));
    const [, title = '', summary = ''] = /^# (.+)\n\n(.+)\n/.exec(markdown) ?? [];
    const tokens = marked.lexer(markdown);
    return { name, title, summary, markdown, html: marked.parser(withSamples(tokens)) };
  });
}

/** Code as it is shown. Fences that follow each other in different languages are one block with tabs. */
function withSamples(tokens: readonly Token[]): Token[] {
  const shown: Token[] = [];
  let samples: CodeBlock[] = [];
  const finish = () => {
    if (samples.length > 0) {
      const text = renderSamples(samples).text;
      shown.push({ type: 'html', block: true, pre: false, raw: text, text } satisfies Tokens.HTML);
    }
    samples = [];
  };
  for (const token of tokens) {
    if (token.type === 'code') {
      const sample = blockOf(token as Tokens.Code);
      if (!samples.every((other) => isOtherLanguage(other, sample))) {
        finish();
      }
      samples.push(sample);
    } else if (token.type !== 'space') {
      finish();
      shown.push(token);
    }
  }
  finish();
  return shown;
}

/** Files and steps of a recipe belong together, but are not the same in other languages. */
function isOtherLanguage(one: CodeBlock, other: CodeBlock): boolean {
  return one.name !== other.name && [one, other].every(({ name = '' }) => TABS.includes(name));
}

function blockOf({ text: code, lang = '' }: Tokens.Code): CodeBlock {
  const [language = '', , part = ''] = lang.split(' ');
  const isCurl = language === 'sh' && code.startsWith('curl ');
  const name = part.includes('.') ? part : isCurl ? 'curl' : (LANGUAGES[language] ?? language);
  return { code, language, name };
}

/** The file for those who read the repository. What it links to there has no page of its own. */
function readChanges(): string {
  return read('../../CHANGELOG.md').replaceAll(/\[([^\]]+)\]\(shared\/[^)]+\)/g, '$1');
}

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}
