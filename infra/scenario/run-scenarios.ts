import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import type { Scenario } from '../../shared/contract/testkit/scenarios.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { cleanLine, cleanText } from '../terminal/clean-text.ts';
import { UsageError } from '../terminal/command.ts';
import { junitXml, type TestReport } from '../terminal/junit.ts';
import { inBangkok } from '../terminal/lines.ts';
import { say, sayJson } from '../terminal/output.ts';
import { type PgRun, serviceOf } from '../terminal/pg-command.ts';
import { PROGRAM } from '../terminal/program-name.ts';
import { printScenario } from './print-scenario.ts';
import { readScenario, type ScenarioSource } from './read-scenario.ts';
import { readText } from './read-text.ts';
import { runScenario } from './run-scenario.ts';
import type { ScenarioFailure } from './scenario-failure.ts';
import type { PlayedScenario } from './scenario-player.ts';
import type { ScenarioService } from './scenario-world.ts';
import { shrinkScenario } from './shrink.ts';
import { describeStep } from './story.ts';

/** The file that the shortest failing scenario is saved as, in what is printed, where none is named. */
const SHRUNK_FILE = 'shortest.yaml';

type Say = (line: string) => void;

/** Runs scenario files. @throws Error if one fails, after all have run */
export async function runScenarios(run: PgRun): Promise<void> {
  const { seed = 1, runs = 1, save = null, story: isTold = false, json } = run.values;
  if (save !== null && run.args.length > 1) {
    throw new UsageError('--save takes one scenario file: its shortest is one file, too.');
  }
  if (save !== null && existsSync(save)) {
    throw new UsageError(`--save takes a new file, and ${save} exists.`);
  }
  const service = serviceOf(run);
  const sources = await Promise.all(run.args.map(async (file) => readScenario(await readText(file), file)));
  const tell: Say = (text) => (json ? undefined : say(...text.split('\n')));
  const reports: TestReport[] = [];
  for (const source of sources) {
    const startedAt = performance.now();
    const result = await runSeeds(service, source, { seed, runs, save, isTold, say: tell });
    const seconds = (performance.now() - startedAt) / SECOND_MS;
    const { file, scenario } = source;
    const { failure } = result;
    reports.push({ group: file, name: scenario.name, file, seconds, failure, skipped: null });
    if (json) {
      sayJson({ file, name: scenario.name, ...result });
    }
  }
  await run.reports.end('junit', () => junitXml('scenarios', reports));
  const failed = reports.filter(({ failure }) => failure !== null).length;
  if (failed > 0) {
    throw new Error(`${failed} of ${reports.length} failed.`);
  }
}

interface SeedResult {
  /** The last seed that was tried: the one that failed, where one did. */
  readonly seed: number;
  readonly failure: string | null;
  readonly story: readonly string[];
  /** The shortest scenario that fails, as a file; null where none was searched. */
  readonly shortest: string | null;
}

interface SeedOptions {
  readonly seed: number;
  readonly runs: number;
  /** The file for the shortest scenario that fails; null: it is printed. */
  readonly save: string | null;
  readonly isTold: boolean;
  readonly say: Say;
}

async function runSeeds(
  service: ScenarioService,
  source: ScenarioSource,
  { seed: first, runs, save, isTold, say }: SeedOptions,
): Promise<SeedResult> {
  const { file, scenario, lineOf } = source;
  let played: PlayedScenario = { story: [], failure: null };
  for (let seed = first; seed < first + runs; seed += 1) {
    played = await runScenario(service, scenario, seed, lineOf);
    if (isTold) {
      say(inBangkok([`${cleanText(scenario.name)}, seed ${seed}`, ...played.story].join('\n')));
    }
    if (played.failure !== null) {
      const failure = failureText(source, played.failure, seed);
      say(inBangkok(failure));
      const shortest =
        runs === 1 && save === null
          ? null
          : await shorten(service, scenario, played.failure, { seed, save, say });
      return { seed, failure, story: played.story, shortest };
    }
  }
  const last = first + runs - 1;
  say(
    `${file}: ${cleanText(scenario.name)}: passed, ${runs === 1 ? `seed ${first}` : `seeds ${first} to ${last}`}`,
  );
  return { seed: last, failure: null, story: played.story, shortest: null };
}

function failureText({ file, lineOf }: ScenarioSource, failure: ScenarioFailure, seed: number): string {
  return [
    `${file}:${lineOf(failure.step)}: ${describeStep(failure.step)}`,
    `  expected: ${failure.expected}`,
    `  was:      ${failure.actual}`,
    `  again:    ${repeatCommand(file, seed)}`,
  ]
    .map(cleanLine)
    .join('\n');
}

function repeatCommand(file: string, seed: number): string {
  return `${PROGRAM} scenario run ${file} --seed ${seed} --story`;
}

async function shorten(
  service: ScenarioService,
  scenario: Scenario,
  { kind }: ScenarioFailure,
  { seed, save, say }: Pick<SeedOptions, 'seed' | 'save' | 'say'>,
): Promise<string> {
  let tried = 0;
  const shortest = await shrinkScenario(scenario, async (candidate) => {
    tried += 1;
    return (await runScenario(service, candidate, seed)).failure?.kind === kind;
  });
  const found = `The shortest that fails in the same way, of ${tried} tried`;
  const again = repeatCommand(save ?? SHRUNK_FILE, seed);
  if (save !== null) {
    const saved = printScenario(shortest, again);
    await writeNew(save, saved);
    say(`${found}, is saved: ${again}`);
    return saved;
  }
  const printed = printScenario(shortest, `Save as ${SHRUNK_FILE}, then: ${again}`);
  say(`${found}:\n\n${printed}`);
  return printed;
}

async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw new Error(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
