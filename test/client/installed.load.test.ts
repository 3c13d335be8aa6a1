import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type InstalledClient, installClient } from '../support/installed-client.ts';
import { runCommand } from '../support/run-command.ts';

const ROOT = process.cwd();
const PROGRAMS = path.join(import.meta.dirname, 'installed');

/** As strict as TypeScript is, in whose declarations nothing is skipped. */
const STRICT = {
  noEmit: true,
  strict: true,
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.AsyncIterable'],
  types: [],
  noPropertyAccessFromIndexSignature: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  isolatedModules: true,
  skipLibCheck: false,
};

let client: InstalledClient;

beforeAll(async () => {
  client = await installClient();
});
afterAll(() => client?.remove());

/**
 * Compiles what a folder of the project holds.
 * @throws Error with what the compiler complains of
 */
async function compile(folder: string, config: object): Promise<string> {
  const file = path.join(client.dir, folder, 'tsconfig.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ include: ['*'], ...config }));
  return (await runCommand(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', file])).stdout;
}

describe('the types of the package', () => {
  test.each([
    ['an ES module of Node', { module: 'nodenext' }, 'module', 'program.ts'],
    ['CommonJS, which cannot require an ES module', { module: 'node16' }, 'commonjs', 'program.ts'],
    ['CommonJS among ES modules', { module: 'node16' }, 'module', 'program.cts'],
    ['bundled', { module: 'esnext', moduleResolution: 'bundler' }, 'module', 'program.ts'],
  ] as const)('are found and hold in a strict program that is %s', async (folder, options, type, file) => {
    const dir = path.join(client.dir, folder);
    await mkdir(dir);
    await writeFile(path.join(dir, 'package.json'), JSON.stringify({ type }));
    await copyFile(path.join(PROGRAMS, 'strict-program.ts'), path.join(dir, file));
    expect(await compile(folder, { compilerOptions: { ...STRICT, ...options } })).toBe('');
  });

  test('are those that the client in the repository infers from the schemas', async () => {
    const compilerOptions = {
      rootDir: '/',
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
      paths: { 'payments-client': [path.join(client.installed, 'index.d.ts')] },
    };
    const [base, program] = [path.join(ROOT, 'tsconfig.json'), path.join(PROGRAMS, 'same-types.ts')];
    expect(await compile('same', { extends: base, compilerOptions, include: [], files: [program] })).toBe('');
  });
});
