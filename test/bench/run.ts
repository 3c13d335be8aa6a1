import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replacePart } from '../../infra/build/contract.ts';
import { compareCosts, costsIn, reasonsIn } from './compare-costs.ts';
import { LIMITS, limitTable, measuredIn, missedLimits, type SectionName } from './limits.ts';
import { releasedFigures } from './released-figures.ts';
import type { Figures, Section } from './section.ts';

/*
 * npm run bench: what the service costs, how fast it is and how far it goes, measured in this very run. Fails where a
 * limit is not kept, or where something costs more than in the last release and COSTS.md does not say why.
 *
 *   --only NAME      one section
 *   --json FILE      writes every figure into a file, as one object
 *   --figures        writes what was measured into FIGURES.md
 *   --minutes N      how long the soak takes (default 5)
 */

const FIGURES = new URL('FIGURES.md', import.meta.url);
const COSTS = new URL('COSTS.md', import.meta.url);
/** Each is a file beside this one, which exports `measure`. */
const SECTIONS = Object.keys(LIMITS) as SectionName[];
const SOAK_MINUTES = 5;

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    json: { type: 'string' },
    figures: { type: 'boolean', default: false },
    minutes: { type: 'string', default: String(SOAK_MINUTES) },
  },
});
const minutes = Number(values.minutes);
if (!/^[1-9]\d{0,3}$/.test(values.minutes)) {
  throw new Error('--minutes takes a number from 1 to 9999');
}
if (values.only !== undefined && !SECTIONS.includes(values.only as SectionName)) {
  throw new Error(`there is no section ${values.only}: ${SECTIONS.join(', ')}`);
}

let measured: Figures = {};
if (values.only === undefined) {
  for (const name of SECTIONS) {
    measured = { ...measured, ...(await runApart(name)) };
  }
} else {
  measured = await run(values.only as SectionName);
  // To the run that this one is a part of.
  process.send?.(measured);
}
if (values.json !== undefined) {
  await writeFile(values.json, `${JSON.stringify(measured, null, 2)}\n`);
}

/** Runs a section in a process of its own, so that it meets nothing that another left in memory. */
async function runApart(name: SectionName): Promise<Figures> {
  const args = ['--only', name, '--minutes', values.minutes, ...(values.figures ? ['--figures'] : [])];
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  let figures: Figures = {};
  child.on('message', (message) => {
    figures = message as Figures;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) {
    process.exitCode = 1;
  }
  return figures;
}

async function run(name: SectionName): Promise<Figures> {
  const { measure } = (await import(`./${name}.ts`)) as {
    measure: (options: { minutes: number }) => Promise<Section>;
  };
  const [load = 0] = loadavg();
  const machine = [
    `${name === 'prediction' ? 'Computed' : 'Measured'} on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}`,
    `on ${availableParallelism()} processors (${cpus()[0]?.model.trim()})`,
    `at a load of ${load.toFixed(1)} before this part began.`,
  ].join(', ');
  const { lines, figures, failures } = await measure({ minutes });
  const before = measuredIn(await readFile(FIGURES, 'utf8'));
  const content = [...lines, '', ...limitTable(LIMITS[name], figures, before), '', machine].join('\n');
  const released = costsIn(await releasedFigures(name));
  const costs = compareCosts(released, costsIn(content), reasonsIn(await readFile(COSTS, 'utf8')));
  console.log(`\n## ${name}\n\n${content}`);
  if (released.size > 0) {
    console.log(['', ...costs.lines].join('\n'));
  }
  if (values.figures) {
    await writeFile(FIGURES, replacePart(await readFile(FIGURES, 'utf8'), `bench: ${name}`, content));
  }
  for (const failure of [...failures, ...costs.failures, ...missedLimits(LIMITS[name], figures)]) {
    console.error(`\nNot kept: ${name}: ${failure}`);
    process.exitCode = 1;
  }
  return figures;
}
