import { globSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CACHE } from '../../support/tools/cached-folder.ts';
import { installPythonRequirements } from '../../support/tools/python-package.ts';
import { runCommand } from '../../support/tools/run-command.ts';
import type { GeneratedClient } from '../generated-client.ts';

const HERE = import.meta.dirname;
const PACKAGE = 'payments_client';
const PROGRAM = 'first_payment.py';

const CONFIG = {
  // The generator treats a picture as text or bytes only where it is configured so.
  content_type_overrides: { 'image/svg+xml': 'text/html', 'image/png': 'application/octet-stream' },
  // No formatter afterwards: the generated code is not read.
  post_hooks: [],
};

let bin = '';

export const pythonClient: GeneratedClient = {
  name: 'openapi-python-client 0.29.1',

  async install() {
    bin = path.join(await installPythonRequirements(path.join(HERE, 'requirements.txt')), 'bin');
  },

  async generate(document, dir) {
    const config = path.join(dir, 'config.json');
    await writeFile(config, JSON.stringify(CONFIG));
    await runCommand(path.join(bin, 'openapi-python-client'), [
      'generate',
      '--path',
      document,
      '--output-path',
      path.join(dir, PACKAGE),
      '--meta',
      'none',
      '--config',
      config,
      // It skips unknown schemas with only a warning.
      '--fail-on-warning',
    ]);
    await copyFile(path.join(HERE, PROGRAM), path.join(dir, PROGRAM));
  },

  async operationsIn(dir) {
    const files = globSync(`${PACKAGE}/api/*/*.py`, { cwd: dir });
    return files.map((file) => path.basename(file, '.py')).filter((name) => name !== '__init__');
  },

  async compile(dir) {
    await runCommand(
      path.join(bin, 'mypy'),
      ['--strict', '--cache-dir', path.join(CACHE, 'mypy'), PROGRAM, PACKAGE],
      { cwd: dir },
    );
  },

  commandIn: (dir) => [path.join(bin, 'python'), path.join(dir, PROGRAM)],
};
