import { type Html, html } from '../pages/html.ts';

/* Our own, for a highlighter from npm would be larger than all of the pages: words, texts, numbers and comments are enough. */

const HASH = /(?<=^|\s)#(?!\[)[^\n]*/;
const SLASHES = /(?<=^|[\s;{}])\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const NO_COMMENT = /(?!)/;
/** A shell has no escapes between single quotes. */
const SHELL_TEXT = /"(?:\\[\s\S]|[^"\\])*"|(?<![\w\\])'[^']*'/;
const TEXT = /"""[\s\S]*?"""|"(?:\\[\s\S]|[^"\\\n])*"|(?<!\w)'(?:\\[\s\S]|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/;
const NUMBER = /(?<![\w.])-?\d[\d_]*(?:\.\d+)?\b/;

const JAVASCRIPT_WORDS =
  'as async await break case catch class const else export extends false finally for from function if implements import in interface let new null of readonly return static switch this throw true try type typeof undefined while';

/** What each language calls a comment and a text, and its words. */
const LANGUAGES: Readonly<Record<string, readonly [comment: RegExp, text: RegExp, words: string]>> = {
  sh: [HASH, SHELL_TEXT, 'curl do done else export fi for if in npm npx pg then while'],
  json: [NO_COMMENT, TEXT, 'false null true'],
  yaml: [HASH, TEXT, 'false null true'],
  ts: [SLASHES, TEXT, JAVASCRIPT_WORDS],
  js: [SLASHES, TEXT, JAVASCRIPT_WORDS],
  python: [
    HASH,
    TEXT,
    'and as async await class def elif else except False finally for from if import in is lambda None not or pass raise return self True try while with yield',
  ],
  go: [
    SLASHES,
    TEXT,
    'break case const defer else false for func go if import interface map nil package panic range return select struct switch true type var',
  ],
  php: [
    new RegExp(`${HASH.source}|${SLASHES.source}`),
    TEXT,
    'array as catch class const declare echo else extends false final fn foreach function if implements namespace new null private protected public readonly require return static throw true try use',
  ],
  java: [
    SLASHES,
    TEXT,
    'boolean byte case catch class double else extends false final finally for if implements import int long new null package private public record return static super this throw throws true try var void while',
  ],
  ruby: [
    HASH,
    TEXT,
    'begin class def do else elsif end ensure false if in module nil not raise require rescue return self then true unless while',
  ],
};

const patterns = new Map(
  Object.entries(LANGUAGES).map(([language, [comment, text, words]]) => [
    language,
    new RegExp(
      `(?<c>${comment.source})|(?<s>${text.source})|(?<k>(?<![\\w.$-])(?:${words.replaceAll(' ', '|')})(?![\\w-]))|(?<n>${NUMBER.source})`,
      'gm',
    ),
  ]),
);

/** Code with its parts in the classes c (comment), s (text), k (word) and n (number). Of an unknown language, as it is. */
export function highlight(code: string, language: string): Html {
  const pattern = patterns.get(language);
  const parts: (Html | string)[] = [];
  let end = 0;
  for (const { 0: text, index, groups = {} } of pattern === undefined ? [] : code.matchAll(pattern)) {
    const [kind = ''] = Object.keys(groups).filter((name) => groups[name] !== undefined);
    parts.push(code.slice(end, index), html`<span class="${kind}">${text}</span>`);
    end = index + text.length;
  }
  return html`${[...parts, code.slice(end)]}`;
}
