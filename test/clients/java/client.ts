import { globSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../../support/tools/run-command.ts';
import type { GeneratedClient } from '../generated-client.ts';
import { generateBy, installJars, librariesOfClients, OPENAPI_GENERATOR } from '../openapi-generator.ts';

const HERE = import.meta.dirname;
const SOURCES = 'client/src/main/java';
const CLASSES = 'classes';
const PROGRAM = 'FirstPayment';
const OPERATION = /^ {2}public ApiResponse<.+> (\w+)WithHttpInfo\(/gm;

const libraries: string[] = [];

export const javaClient: GeneratedClient = {
  name: `${OPENAPI_GENERATOR} for Java`,

  async install() {
    await installJars();
    libraries.push(...(await librariesOfClients()));
  },

  async generate(document, dir) {
    await generateBy('java', document, path.join(dir, 'client'), [
      '--library=native',
      '--additional-properties=useJakartaEe=true',
      '--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false',
    ]);
    await copyFile(path.join(HERE, `${PROGRAM}.java`), path.join(dir, SOURCES, `${PROGRAM}.java`));
  },

  async operationsIn(dir) {
    const files = globSync(`${SOURCES}/**/api/*Api.java`, { cwd: dir });
    const sources = await Promise.all(files.map((file) => readFile(path.join(dir, file), 'utf8')));
    return sources.flatMap((source) => [...source.matchAll(OPERATION)].map(([, name]) => String(name)));
  },

  async compile(dir) {
    const sources = globSync(`${SOURCES}/**/*.java`, { cwd: dir });
    const options = ['-encoding', 'UTF-8', '-nowarn', '-proc:none', '-d', CLASSES];
    await runCommand('javac', [...options, '-cp', libraries.join(path.delimiter), ...sources], { cwd: dir });
  },

  commandIn: (dir) => ['java', '-cp', [path.join(dir, CLASSES), ...libraries].join(path.delimiter), PROGRAM],
};
