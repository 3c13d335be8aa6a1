import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type InstalledPackage, installPackage } from '../support/tools/installed-package.ts';
import { runCommand } from '../support/tools/run-command.ts';

const BUNDLE_MAX_BYTES = 80_000;
/** What a reader of a terminal sees at once. */
const SHOWN_ERROR_CHARS = 2_500;
const BUNDLES = ['index.js', 'index.cjs'];
const COMMENT = /\/\*.*?\*\/|^\s*\/\/.*$/gms;
const EXPORTS = [
  'ConnectionError',
  'ProblemError',
  'WebhookVerificationError',
  'answerOf',
  'createClient',
  'isProblem',
  'webhooks',
];
/** Requests a list from a stub of the service, and prints the response. */
const FIRST_CALL = `
  const fetch = async () => Response.json({ data: [], has_more: false, next_cursor: null });
  const client = createClient({ key: 'pg_test_x', baseUrl: 'http://h', fetch });
  client.listPayments().then(({ has_more }) => console.log(has_more));`;

let client: InstalledPackage;

beforeAll(async () => {
  client = await installPackage({ packedIn: inject('runFolder') });
});
afterAll(() => client?.remove());

function read(file: string): Promise<string> {
  return readFile(path.join(client.installed, file), 'utf8');
}

/** Runs a program in the project that has the client; older versions can require only CommonJS. */
async function run(kind: 'module' | 'commonjs', program: string, ...flags: string[]): Promise<string> {
  const args = ['--no-experimental-require-module', ...flags, `--input-type=${kind}`, '--eval', program];
  return (await runCommand(process.execPath, args, { cwd: client.dir })).stdout;
}

describe('the client in the package', () => {
  test('needs no other: npm installs none with it', async () => {
    const installed = await readdir(path.join(client.dir, 'node_modules'));
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['payments-kit']);
  });

  test('contains code and types for both module formats, and source maps', () => {
    expect(client.files).toEqual(
      expect.arrayContaining(
        ['index', 'testing'].flatMap((entry) =>
          ['.js', '.js.map', '.d.ts', '.cjs', '.cjs.map', '.d.cts'].map((ending) => `${entry}${ending}`),
        ),
      ),
    );
  });

  test.each(BUNDLES)('is small: %s', async (name) => {
    const code = await read(name);
    const [size, compressed] = [code.length, gzipSync(code).length].map((n) => (n / 1_000).toFixed(1));
    console.log(`${name}: ${size} KB, ${compressed} KB compressed`);
    expect(Buffer.byteLength(code)).toBeLessThanOrEqual(BUNDLE_MAX_BYTES);
  });

  test('is as large as its README says', async () => {
    const [index, about] = [await read('index.js'), await read('CLIENT.md')];
    const tens = Math.round(Buffer.byteLength(index) / 10_000);
    expect(about).toContain(` about ${tens * 10} KB of code,`);
  });

  test.each([
    [
      'the service is not there',
      "createClient({ key: 'pg_test_x', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 }).getBalance()",
      'http://127.0.0.1:1.',
    ],
    [
      'the base URL is wrong',
      "createClient({ key: 'pg_test_x', baseUrl: 'localhost:4000' })",
      'It was given "localhost:4000".',
    ],
  ])('shows what is wrong where nobody catches its error: %s', async (_, call, words) => {
    for (const [kind, load] of [
      ['module', "import { createClient } from 'payments-kit';"],
      ['commonjs', "const { createClient } = require('payments-kit');"],
    ] as const) {
      const args = ['--no-experimental-require-module', `--input-type=${kind}`, '--eval', `${load}\n${call}`];
      const { stderr, code } = await promisify(execFile)(process.execPath, args, { cwd: client.dir }).then(
        () => ({ stderr: '', code: 0 }),
        (error: { stderr: string; code: number }) => error,
      );
      expect(code).toBe(1);
      expect(stderr).toContain(words);
      expect(stderr.length).toBeLessThan(SHOWN_ERROR_CHARS);
    }
  });

  test.each(BUNDLES)('has a source map that names and contains each source: %s', async (name) => {
    const { sources, sourcesContent } = JSON.parse(await read(`${name}.map`));
    expect(sourcesContent).toHaveLength(sources.length);
    expect(sourcesContent.filter((text: unknown) => typeof text !== 'string' || text === '')).toEqual([]);
  });

  test.each(BUNDLES)('contains no part of the service, of its schemas or of Node: %s', async (name) => {
    const { sources } = JSON.parse(await read(`${name}.map`));
    expect(sources).toContain('shared/client/client.ts');
    expect(
      sources.filter(
        (file: string) => !/^(shared\/(client|concurrency)\/|node_modules\/|index\.ts$)/.test(file),
      ),
    ).toEqual([]);
    expect(sources.filter((file: string) => /valibot|aws|middy/.test(file))).toEqual([]);
    const code = (await read(name)).replaceAll(COMMENT, '');
    expect(code).not.toMatch(/node:|\bprocess\.|\brequire\(|\bimport\b/);
  });

  test.each(['testing.js', 'testing.cjs'])('has helpers for tests beside it, in Node: %s', async (name) => {
    const { sources } = JSON.parse(await read(`${name}.map`));
    expect(
      sources.filter(
        (file: string) => !/^(shared\/client\/(testing\/|real-timers\.ts$)|testing\.ts$)/.test(file),
      ),
    ).toEqual([]);
    expect(await read(name)).toContain(`./index.${name.split('.')[1]}`);
  });

  test('has types that import nothing', async () => {
    for (const name of ['index.d.ts', 'index.d.cts']) {
      expect(await read(name)).not.toMatch(/\bimport\b|\bfrom '|\brequire\(|<reference/);
    }
  });

  test('has the types that the client in the repository infers from the schemas', async () => {
    const compilerOptions = {
      rootDir: '/',
      typeRoots: [path.resolve('node_modules/@types')],
      paths: { 'payments-kit': [path.join(client.installed, 'index.d.ts')] },
    };
    const files = [path.resolve('test/client/installed/same-types.ts')];
    await client.compile('same', { extends: path.resolve('tsconfig.json'), compilerOptions, files });
  });

  test('names the third-party code that it contains, with its licenses', async () => {
    const { sources } = JSON.parse(await read('index.js.map'));
    const notices = await read('THIRD-PARTY.txt');
    for (const file of sources.filter((name: string) => name.startsWith('node_modules/'))) {
      const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });

  test.each([
    ['imported', 'module', "import * as all from 'payments-kit'; const { createClient } = all;"],
    ['required', 'commonjs', "const all = require('payments-kit'); const { createClient } = all;"],
  ] as const)('can be %s and then sends a request', async (_, kind, begin) => {
    const program = `${begin} console.log(Object.keys(all).sort().join());${FIRST_CALL}`;
    expect(await run(kind, program)).toBe(`${EXPORTS.toSorted()}\nfalse\n`);
  });

  test.each([
    ['module', "import { createClient } from 'payments-kit';"],
    ['commonjs', "const { createClient } = require('payments-kit');"],
  ] as const)('has maps that lead from an error to its source: %s', async (kind, begin) => {
    const program = `${begin} try { createClient({}) } catch ({ stack }) { console.log(stack) }`;
    expect(await run(kind, program, '--enable-source-maps')).toMatch(
      /payments-kit\/shared\/client\/client\.ts:\d+:\d+\)$/m,
    );
  });
});
