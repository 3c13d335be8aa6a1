import { globSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { LOCKED_GO_ENV } from '../../support/tools/go.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import type { GeneratedClient } from '../generated-client.ts';
import { generateBy, installJars, OPENAPI_GENERATOR } from '../openapi-generator.ts';

const HERE = import.meta.dirname;
const PACKAGE = 'payments';
const OPERATION = /^func \(a \*\w+APIService\) (\w+)Execute\(/gm;

export const goClient: GeneratedClient = {
  name: `${OPENAPI_GENERATOR} for Go`,

  async install() {
    await installJars();
    await go(HERE, 'mod', 'download');
  },

  async generate(document, dir) {
    const properties = `packageName=${PACKAGE},withGoMod=false`;
    await generateBy('go', document, path.join(dir, PACKAGE), [
      `--additional-properties=${properties}`,
      '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    ]);
    for (const file of ['go.mod', 'go.sum', 'first_payment.go']) {
      await copyFile(path.join(HERE, file), path.join(dir, file));
    }
  },

  async operationsIn(dir) {
    const files = globSync(`${PACKAGE}/api_*.go`, { cwd: dir });
    const sources = await Promise.all(files.map((file) => readFile(path.join(dir, file), 'utf8')));
    return sources.flatMap((source) => [...source.matchAll(OPERATION)].map(([, name]) => String(name)));
  },

  async compile(dir) {
    await go(dir, 'vet', './...');
    await go(dir, 'build', '-trimpath', '-o', 'first-payment', '.');
  },

  commandIn: (dir) => [path.join(dir, 'first-payment')],
};

function go(cwd: string, ...args: string[]) {
  return runCommand('go', args, { cwd, env: LOCKED_GO_ENV });
}
