import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { renewContract } from '../infra/build/contract.ts';
import manifest from '../package.json' with { type: 'json' };
import { statusesInWords } from '../shared/contract/statuses-in-words.ts';
import { JSON_SCHEMAS } from '../shared/contract/testkit/json-schemas.ts';
import { OPEN_REFUND_STATUSES } from '../shared/domain/refund.ts';
import { readme } from './support/tools/readme.ts';

const [contract = '', testing = ''] = await Promise.all(
  ['shared/CONTRACT.md', 'test/README.md'].map((name) =>
    readFile(new URL(`../${name}`, import.meta.url), 'utf8'),
  ),
);

describe('the documents in the repository', () => {
  test('the contract lists the operations and states of the code (npm run contract renews it)', () => {
    expect(renewContract(contract)).toBe(contract);
  });

  test.each(Object.entries(JSON_SCHEMAS))(
    'the JSON Schema %s is that of the code (npm run contract renews it)',
    async (name, build) => {
      const published = await readFile(new URL(`../shared/${name}.schema.json`, import.meta.url), 'utf8');
      expect(JSON.parse(published)).toEqual(JSON.parse(JSON.stringify(build())));
    },
  );

  test('the contract names the statuses in which the outcome of a refund can be simulated', () => {
    const statuses = statusesInWords(OPEN_REFUND_STATUSES);
    expect(contract).toContain(`Simulating a refund works from ${statuses}, takes every step in between`);
  });

  test('every cited section of the contract exists', async () => {
    const sections = [...contract.matchAll(/^## (\d+)\. /gm)].map(([, section]) => section);
    const files = globSync('{shared,functions,infra,test}/**/*.{ts,md}');
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    // Ranges too, such as §5–11, but no section of a standard, such as §12.5.4.
    const cited = texts.flatMap((text, index) =>
      [...text.matchAll(/§(\d+)(?:–(\d+))?(?!\d*\.\d)/g)].flatMap(([, from, to = from]) =>
        [from, to].map((section) => ({ file: files[index], section })),
      ),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
  });
});

describe('the pages of the repository', () => {
  const pages = globSync('{*,.github/*,infra/*,shared/**/*,test/bench/*}.md').map((file) => ({
    file,
    text: readFileSync(file, 'utf8'),
  }));

  test('have notes above commands, without what zsh would begin to read in them', () => {
    const lines = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/```sh.*?\n(.*?)```/gs)].flatMap(([, block = '']) =>
        block.split('\n').map((line) => ({ file, line })),
      ),
    );
    const notes = lines.filter(({ line }) => line.trimStart().startsWith('#'));
    expect(notes.length).toBeGreaterThan(15);
    expect(notes.filter(({ line }) => /['`$*?[\]!;&|<>()]/.test(line))).toEqual([]);
    expect(lines.filter(({ line }) => /\S +# /.test(line))).toEqual([]);
  });

  test('link only to pages and headings that exist', () => {
    const links = pages.flatMap(({ file, text }) =>
      [...text.matchAll(/\]\((?!http|\/)([^)\s]+)\)/g)].map(([, link = '']) => ({ file, link })),
    );
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter(({ file, link }) => !isThere(file, link))).toEqual([]);
  });
});

const namedScripts = new Set(
  [...`${readme}${testing}`.matchAll(/npm (?:run )?([a-z][a-z:-]*)/g)]
    .map(([, name]) => String(name))
    .filter((name) => !['ci', 'install', 'run'].includes(name)),
);
describe('the page of the house', () => {
  const house = readFileSync('shared/README.md', 'utf8');
  const rowOf = (what: string) => house.split('\n').find((line) => line.startsWith(`| ${what} |`)) ?? '';
  const filesWith = (word: RegExp) =>
    globSync('shared/**/*.{ts,tsx,css}', { exclude: ['**/testkit/**', 'shared/client/**', 'shared/docs/**'] })
      .filter((file) => !/(examples|dictionary)\.ts$/.test(file))
      .filter((file) =>
        readFileSync(file, 'utf8')
          .split('\n')
          .some((line) => word.test(line)),
      )
      .map((file) => file.replace('shared/', ''));

  test('names only files that exist', () => {
    const named = [...house.matchAll(/`([\w.-]+\/[\w./-]+\.(?:tsx?|css))`/g)].map(([, file]) => String(file));
    expect(named.length).toBeGreaterThan(60);
    // A resource that is not there shows what a new one takes.
    const missing = named.filter(
      (file) => !/dispute/.test(file) && !existsSync(file) && !existsSync(`shared/${file}`),
    );
    expect(missing).toEqual([]);
  });

  test('names every room', () => {
    const rooms = globSync('{shared,infra,test}/*/', { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    expect(rooms.length).toBeGreaterThan(40);
    expect(rooms.map(({ name }) => name).filter((name) => !house.includes(`\`${name}/\``))).toEqual([]);
  });

  test.each([
    ['a payment method', /\b(shopeepay|linepay)\b/],
    ['a currency', /\bTHB\b(?!', minor)/],
  ])('names every file that %s touches', (what, word) => {
    const files = filesWith(word);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => !rowOf(what).includes(`\`${file}\``))).toEqual([]);
  });
});

/** `## What it costs` → `what-it-costs`, as GitHub names headings. */
function fragmentOf(heading: string): string {
  const words = heading.replace(/^#+ /, '').toLowerCase();
  return words.replace(/[^\w -]/g, '').replaceAll(' ', '-');
}

/** Whether a link from a page leads to a file, and to a heading of it. */
function isThere(file: string, link: string): boolean {
  const [name = '', heading] = link.split('#');
  const target = name === '' ? file : path.join(path.dirname(file), name);
  if (!existsSync(target)) {
    return false;
  }
  const headings = heading === undefined ? [] : (readFileSync(target, 'utf8').match(/^#+ .*/gm) ?? []);
  return heading === undefined || headings.some((line) => fragmentOf(line) === heading);
}

describe('the README', () => {
  test('is read in ten minutes: at most 1,500 words', () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_500);
  });

  test('has no quote or expansion in a comment, which zsh would begin to read', () => {
    const blocks = [...readme.matchAll(/```sh.*?\n(.*?)```/gs)].map(([, block = '']) => block);
    const comments = blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith('#'));
    expect(comments.length).toBeGreaterThan(5);
    expect(comments.filter((line) => /['`$*?[\]!]/.test(line))).toEqual([]);
  });

  test('names, with that of the tests, every script of npm', () => {
    expect(Object.keys(manifest.scripts).filter((name) => !namedScripts.has(name))).toEqual([]);
  });

  test('names only scripts that exist', () => {
    const scripts: Readonly<Record<string, string>> = manifest.scripts;
    expect([...namedScripts].filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
