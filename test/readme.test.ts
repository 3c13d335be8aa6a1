import { globSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ALARM_NAMES } from '../infra/aws/constructs/observability.ts';
import { renewContract } from '../infra/build/contract.ts';
import manifest from '../package.json' with { type: 'json' };
import { JSON_SCHEMAS } from '../shared/contract/testkit/json-schemas.ts';
import { readme } from './support/tools/readme.ts';

const [contract = '', operating = '', testing = ''] = await Promise.all(
  ['shared/CONTRACT.md', 'infra/README.md', 'test/README.md'].map((name) =>
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

  test('every cited section of the contract exists', async () => {
    const sections = [...contract.matchAll(/^## (\d+)\. /gm)].map(([, section]) => section);
    const files = globSync('{shared,functions,infra,test}/**/*.{ts,md}');
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    // Ranges too, such as §5–11, but no section of a standard, such as §12.5.4.
    const cited = texts.flatMap((text, place) =>
      [...text.matchAll(/§(\d+)(?:–(\d+))?(?!\d*\.\d)/g)].flatMap(([, from, to = from]) =>
        [from, to].map((section) => ({ file: files[place], section })),
      ),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ section }) => !sections.includes(section))).toEqual([]);
  });

  test('the runbook says what to do about every alarm', () => {
    const runbook = operating.slice(operating.indexOf('## Runbook'));
    expect(ALARM_NAMES.filter((name) => !runbook.includes(`\n- \`${name}\`: `))).toEqual([]);
  });
});

const namedScripts = new Set(
  [...`${readme}${testing}`.matchAll(/npm (?:run )?([a-z][a-z:-]*)/g)]
    .map(([, name]) => String(name))
    .filter((name) => name !== 'ci' && name !== 'run'),
);

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

  test('links only to pages that exist', async () => {
    const links = [...readme.matchAll(/\]\((?!http)([^)]+)\)/g)].map(([, link]) => String(link));
    expect(links.length).toBeGreaterThan(4);
    await Promise.all(links.map((link) => access(new URL(`../${link}`, import.meta.url))));
  });

  test('names, with that of the tests, every script of npm', () => {
    expect(Object.keys(manifest.scripts).filter((name) => !namedScripts.has(name))).toEqual([]);
  });

  test('names only scripts that exist', () => {
    const scripts: Readonly<Record<string, string>> = manifest.scripts;
    expect([...namedScripts].filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
