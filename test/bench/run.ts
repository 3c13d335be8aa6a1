import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replacePart } from '../../infra/cli/contract.ts';
import type { Section } from './section.ts';

/*
 * npm run bench: what the service costs, how fast it is and how far it goes, measured in this very run. Fails where a
 * limit is not kept. `--only NAME` runs one section, `--figures` writes what was measured into FIGURES.md.
 */

const FIGURES = new URL('FIGURES.md', import.meta.url);

/** Files beside this one, each of which exports `measure`. */
const SECTIONS = ['operations', 'cold-start', 'side-by-side', 'scale'];

const { values } = parseArgs({
  options: { only: { type: 'string' }, figures: { type: 'boolean', default: false } },
});
if (values.only === undefined) {
  for (const name of SECTIONS) {
    await runApart(name);
  }
} else if (SECTIONS.includes(values.only)) {
  await run(values.only);
} else {
  throw new Error(`there is no section ${values.only}: ${SECTIONS.join(', ')}`);
}

/** Runs a section in a process of its own, so that it meets nothing that another left in memory. */
async function runApart(name: string): Promise<void> {
  const args = [fileURLToPath(import.meta.url), '--only', name, ...(values.figures ? ['--figures'] : [])];
  const [code] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  if (code !== 0) {
    process.exitCode = 1;
  }
}

async function run(name: string): Promise<void> {
  const { measure } = (await import(`./${name}.ts`)) as { measure: () => Promise<Section> };
  const section = await measure();
  const content = section.lines.join('\n');
  console.log(`\n## ${name}\n\n${content}`);
  if (values.figures) {
    await writeFile(FIGURES, replacePart(await readFile(FIGURES, 'utf8'), section.name, content));
  }
  for (const failure of section.failures) {
    console.error(`\nNot kept: ${name}: ${failure}`);
    process.exitCode = 1;
  }
}
