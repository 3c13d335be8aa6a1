import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { installNodePackages } from '../../support/tools/node-packages.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import type { GeneratedClient } from '../generated-client.ts';
import manifest from './package.json' with { type: 'json' };

const HERE = import.meta.dirname;
const REPOSITORY = path.resolve(HERE, '../../..');
const GENERATED = 'payments.ts';

let installed = '';

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022'],
    module: 'NodeNext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    typeRoots: [path.join(REPOSITORY, 'node_modules/@types')],
    types: ['node'],
  },
};

/** openapi-typescript runs on an older TypeScript; what it makes is compiled by the one of the repository. */
export const typescriptClient: GeneratedClient = {
  name: `openapi-typescript ${manifest.dependencies['openapi-typescript']}`,

  async install() {
    installed = await installNodePackages('typescript-client', HERE);
  },

  async generate(document, dir) {
    await runCommand(path.join(installed, 'node_modules/.bin/openapi-typescript'), [
      document,
      '--output',
      path.join(dir, GENERATED),
    ]);
    await copyFile(path.join(HERE, 'first-payment.ts'), path.join(dir, 'first-payment.ts'));
    await writeFile(path.join(dir, 'package.json'), JSON.stringify({ type: 'module' }));
    await writeFile(path.join(dir, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await symlink(path.join(installed, 'node_modules'), path.join(dir, 'node_modules'));
  },

  async operationsIn(dir) {
    const source = await readFile(path.join(dir, GENERATED), 'utf8');
    const operations = source.slice(source.indexOf('\nexport interface operations {'));
    return [...operations.matchAll(/^ {4}"?([\w.]+)"?: \{$/gm)].map(([, name]) => String(name));
  },

  async compile(dir) {
    await runCommand(path.join(REPOSITORY, 'node_modules/.bin/tsc'), ['-p', dir]);
  },

  commandIn: (dir) => [process.execPath, path.join(dir, 'first-payment.ts')],
};
