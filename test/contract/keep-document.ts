import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';

/* node test/contract/keep-document.ts, at a release: what this version promises, which later documents are held to. */

/** A document without what promises nothing: its texts and examples. */
export function promisesOf(document: object): object {
  return JSON.parse(JSON.stringify(document), (name, value) => (isWords(name, value) ? undefined : value));
}

function isWords(name: string, value: unknown): boolean {
  // A field of a schema can have the name `description`, too: its value is a schema.
  const isSentence = ['description', 'summary'].includes(name) && typeof value === 'string';
  return isSentence || ['example', 'examples'].includes(name);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = new URL(`released/${NEWEST_VERSION}.json`, import.meta.url);
  await writeFile(file, `${JSON.stringify(promisesOf(buildOpenApi('https://pay.example.com')))}\n`);
}
