import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder } from '../support/tools/cached-folder.ts';
import { runCommand } from '../support/tools/run-command.ts';

/** Its version, and the libraries that its Java clients take, are those of this project of Maven's. */
const POM = path.join(import.meta.dirname, 'java/pom.xml');

const pom = await readFile(POM, 'utf8');
const [, version = ''] =
  /<artifactId>openapi-generator-cli<\/artifactId>\s*<version>(.+)<\/version>/.exec(pom) ?? [];
const GENERATOR = `openapi-generator-cli-${version}.jar`;

export const OPENAPI_GENERATOR = `openapi-generator ${version}`;

/** @returns a folder with the generator and the libraries of Java clients, put there by Maven the first time */
export function installJars(): Promise<string> {
  const digest = createHash('sha256').update(pom).digest('hex').slice(0, 8);
  return cachedFolder(`openapi-generator-${version}-${digest}`, async (folder) => {
    const repository = path.join(folder, '..', 'maven');
    await runCommand('mvn', [
      '--batch-mode',
      '--quiet',
      `--file=${POM}`,
      `-Dmaven.repo.local=${repository}`,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${folder}`,
    ]);
  });
}

/** The libraries that a Java client takes: the generator holds others of the same names. */
export async function librariesOfClients(): Promise<string[]> {
  const folder = await installJars();
  const jars = (await readdir(folder)).filter((name) => name.endsWith('.jar') && name !== GENERATOR);
  return jars.map((name) => path.join(folder, name));
}

/**
 * Generates a client.
 * @param properties the generator's own options, `name=value`
 */
export async function generateBy(
  generator: string,
  document: string,
  dir: string,
  options: readonly string[],
): Promise<void> {
  const jar = path.join(await installJars(), GENERATOR);
  await runCommand('java', [
    '-jar',
    jar,
    'generate',
    `--generator-name=${generator}`,
    `--input-spec=${document}`,
    `--output=${dir}`,
    ...options,
  ]);
}
