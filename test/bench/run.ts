import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { replacePart } from '../../infra/cli/readme.ts';
import type { Section } from './section.ts';

/*
 * npm run bench: what the service costs, how fast it is and how far it goes, measured in this very run. Fails where a
 * limit is not kept. `--only NAME` runs one section, `--readme` puts what was measured into the README.
 */

const README = new URL('../../README.md', import.meta.url);

/** Files beside this one, each of which exports `measure`. */
const SECTIONS = ['operations', 'cold-start', 'side-by-side', 'scale'];

const { values } = parseArgs({
  options: { only: { type: 'string' }, readme: { type: 'boolean', default: false } },
});
const failures: string[] = [];
for (const name of SECTIONS) {
  if (values.only !== undefined && values.only !== name) {
    continue;
  }
  const { measure } = (await import(`./${name}.ts`)) as { measure: () => Promise<Section> };
  const section = await measure();
  console.log(`\n## ${name}\n\n${section.lines.join('\n')}`);
  failures.push(...section.failures.map((failure) => `${name}: ${failure}`));
  if (values.readme) {
    await writeFile(
      README,
      replacePart(await readFile(README, 'utf8'), section.name, section.lines.join('\n')),
    );
  }
}
for (const failure of failures) {
  console.error(`\nNot kept: ${failure}`);
}
process.exitCode = failures.length > 0 ? 1 : 0;
