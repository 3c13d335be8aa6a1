import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { grantsOf } from '../../infra/aws/grants.ts';
import { functionNameOf } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { AS_DEPLOYED, functionFiles, functionNames, WORKERS } from '../support/tools/bundle.ts';
import { quantile } from './quantile.ts';
import type { Section } from './section.ts';

/*
 * What a function loads at a cold start, against what the SDK alone takes. Every load is one of a process of its own,
 * and the bundles take turns, so that all of them meet the same machine.
 */

/** A function may take so many times as long to load as a bundle of the SDK alone. */
const RATIO_MAX = 2;
const ROUNDS = 5;
/** The bare bundle is loaded anew before each so many others, which are compared with that load. */
const PER_BARE = 3;
/** A function over the limit is measured again, so many times, before it is reported. */
const ROUNDS_WHEN_OVER = 15;
const LARGEST_PACKAGES = 6;
/** The function that has a limit of its own, and of which it is shown what it is made of: it decides, and it runs once. */
const TYPICAL = 'create-payment';
/** The one that only reads. */
const READING = 'get-payment';
/** Both are loaded so often more, by turns with the bare bundle. */
const TYPICAL_ROUNDS = 25;

const BARE = 'bare';
/** As functions are bundled. */
const BARE_BUNDLING = { ...AS_DEPLOYED, define: {} } satisfies BuildOptions;
const BARE_SOURCE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import * as commands from '@aws-sdk/lib-dynamodb';
  const { GetCommand, PutCommand, QueryCommand, UpdateCommand, DeleteCommand, TransactWriteCommand } = commands;
  const documents = commands.DynamoDBDocumentClient.from(new DynamoDBClient());
  const all = { GetCommand, PutCommand, QueryCommand, UpdateCommand, DeleteCommand, TransactWriteCommand };
  export const handler = ({ name, input }) => documents.send(new all[name](input));
`;

const ROOT = path.resolve(import.meta.dirname, '../..');

/** How long a load took, and how much of a processor: what counts on Lambda, where 1 GB has over half a core. */
interface Load {
  readonly ms: number;
  readonly cpuMs: number;
}

interface ComparedLoad extends Load {
  /** Processor time against that of the bare bundle, just before: what a start has too little of on Lambda. */
  readonly ratio: number;
  /** The ratio of the time that it took, which other work on the machine disturbs. */
  readonly wallRatio: number;
}

interface Measured extends ComparedLoad {
  readonly name: string;
  readonly kilobytes: number;
}

/** Loads every function as it is deployed. */
export async function measure(): Promise<Section> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-cold-'));
  try {
    const functions = await bundleFunctions(dir);
    const bare = await bundleBare(dir);
    const libraries = await bundleLibraries(dir, functions);
    const compared = await compareLoads(dir);
    const measured = [...compared.loads]
      .map(([name, loads]): Measured => ({ name, kilobytes: sizeOf(functions, name), ...medianOf(loads) }))
      .toSorted((a, b) => b.ratio - a.ratio);
    printEach(measured);
    const alone: Measured = { name: BARE, kilobytes: sizeOf(bare, BARE), ...medianOf(compared.bare) };
    const typical = measured.find(({ name }) => name === TYPICAL);
    return {
      lines: [
        ...describeKinds(measured, alone),
        '',
        ...describeLibraries(await loadLibraries(dir, libraries)),
        '',
        describePackages(functions),
      ],
      figures: {
        'cold_start.create_payment_processor_to_sdk': Number(typical?.ratio),
        'cold_start.get_payment_processor_to_sdk': Number(
          measured.find(({ name }) => name === READING)?.ratio,
        ),
        'cold_start.create_payment_processor_ms': Number(typical?.cpuMs),
        'cold_start.create_payment_kilobytes': Number(typical?.kilobytes),
        'cold_start.highest_processor_to_sdk': Number(measured[0]?.ratio),
        'cold_start.sdk_processor_ms': alone.cpuMs,
      },
      failures: measured
        .filter(isOver)
        .map(
          ({ name, ratio, wallRatio }) =>
            `${name} takes ${Math.max(ratio, wallRatio).toFixed(2)} times as long to load as the SDK alone, not ${RATIO_MAX} at most`,
        ),
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/* --- bundles --- */

async function bundleFunctions(outdir: string): Promise<Metafile> {
  return (await build({ ...AS_DEPLOYED, entryPoints: functionFiles, outdir, metafile: true })).metafile;
}

async function bundleBare(dir: string): Promise<Metafile> {
  const stdin = { contents: BARE_SOURCE, resolveDir: ROOT };
  const outfile = path.join(dir, `${BARE}.js`);
  return (await build({ ...BARE_BUNDLING, stdin, outfile, metafile: true })).metafile;
}

function sizeOf({ outputs }: Metafile, name: string): number {
  const [, output] = Object.entries(outputs).find(([file]) => file.endsWith(`/${name}.js`)) ?? [];
  return (output?.bytes ?? 0) / 1_000;
}

/* --- loads --- */

/** By `require`, as Lambda does. */
const LOAD = `
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  const { handler } = require(process.argv[1]);
  const [ms, { user, system }] = [performance.now() - from, process.cpuUsage(cpu)];
  if (typeof handler !== 'function') throw new Error('no handler');
  console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1_000 }));
`;

interface ComparedLoads {
  readonly bare: ComparedLoad[];
  /** By function. */
  readonly loads: Map<string, ComparedLoad[]>;
}

/** Loads all functions by turns, and again the typical one and those that seem to be over the limit. */
async function compareLoads(dir: string): Promise<ComparedLoads> {
  const compared: ComparedLoads = { bare: [], loads: new Map() };
  await loadByTurns(dir, compared, functionNames, ROUNDS, PER_BARE);
  await loadByTurns(dir, compared, [TYPICAL, READING], TYPICAL_ROUNDS, 1);
  const over = functionNames.filter((name) => isOver(medianOf(compared.loads.get(name) ?? [])));
  await loadByTurns(dir, compared, over, ROUNDS_WHEN_OVER, 1);
  return compared;
}

async function loadByTurns(
  dir: string,
  { bare, loads }: ComparedLoads,
  names: readonly string[],
  rounds: number,
  perBare: number,
): Promise<void> {
  const load = async (name: string) =>
    JSON.parse(await runFresh(dir, LOAD, path.join(dir, `${name}.js`))) as Load;
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, name] of names.entries()) {
      if (index % perBare === 0) {
        bare.push({ ...(await load(BARE)), ratio: 1, wallRatio: 1 });
      }
      const one = await load(name);
      const { ms, cpuMs } = bare.at(-1) as Load;
      const ratios = { ratio: one.cpuMs / cpuMs, wallRatio: one.ms / ms };
      loads.set(name, [...(loads.get(name) ?? []), { ...one, ...ratios }]);
    }
  }
}

/** Runs a script in a process of its own, started as Lambda starts a function. */
async function runFresh(dir: string, script: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script, ...args], {
    cwd: dir,
    env: { TABLE_NAME: 'payments', AWS_REGION: 'us-east-1' },
  });
  return stdout;
}

function isOver({ ratio, wallRatio }: ComparedLoad): boolean {
  return ratio > RATIO_MAX || wallRatio > RATIO_MAX;
}

function medianOf(loads: readonly ComparedLoad[]): ComparedLoad {
  const of = (figure: keyof ComparedLoad) =>
    quantile(
      loads.map((load) => load[figure]),
      0.5,
    );
  return { ms: of('ms'), cpuMs: of('cpuMs'), ratio: of('ratio'), wallRatio: of('wallRatio') };
}

/* --- what libraries take --- */

/** A library as the sources use it: only what they import of it. */
interface Library {
  readonly name: string;
  /** The part of a module that imports what is used. */
  readonly source: string;
  /** How many functions carry it, and how much of it the largest share. */
  readonly functions: number;
  readonly kilobytes: number;
}

const LIBRARIES = 'libraries';
/** What a function cannot do without, and what the bare bundle has too. */
const SDK = /^@(aws-sdk|smithy|aws)\//;
const IMPORT = /^import (?!type\b)([^;]*?) from '([^.'][^']*)';$/gms;

/** One bundle with the SDK and, each to be run by itself, every other library, cut down to what the service uses. */
async function bundleLibraries(dir: string, functions: Metafile): Promise<readonly Library[]> {
  const used = await importedNames();
  const all = [...used].map(([specifier, names]): Library => {
    const name = packageOf(`node_modules/${specifier}`) ?? specifier;
    const shares = Object.values(functions.outputs).flatMap(
      ({ inputs }) => bytesByPackage(inputs).get(name) ?? [],
    );
    return {
      name: specifier,
      source: `export { ${[...names].map((one) => (one === 'default' ? 'default as it' : one)).join(', ')} } from '${specifier}';`,
      functions: shares.length,
      kilobytes: Math.max(...shares) / 1_000,
    };
  });
  // Some are for what is built, and in no function.
  const libraries = all.filter((library) => library.functions > 0);
  const plugin = {
    name: 'libraries',
    setup: ({ onResolve, onLoad }: import('esbuild').PluginBuild) => {
      onResolve({ filter: /^library:/ }, ({ path: name }) => ({ path: name, namespace: 'library' }));
      onLoad({ filter: /./, namespace: 'library' }, ({ path: name }) => ({
        contents: libraries.find((library) => `library:${library.name}` === name)?.source ?? '',
        resolveDir: ROOT,
      }));
    },
  };
  const contents = `
    ${BARE_SOURCE}
    export const libraries = {
      ${libraries.map(({ name }) => `'${name}': () => require('library:${name}'),`).join('\n')}
    };`;
  const outfile = path.join(dir, `${LIBRARIES}.js`);
  await build({ ...BARE_BUNDLING, stdin: { contents, resolveDir: ROOT }, outfile, plugins: [plugin] });
  return libraries;
}

/** What the sources of the functions import of each library, but for the SDK. */
async function importedNames(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const names = new Map<string, Set<string>>();
  for (const file of globSync('{functions,shared}/**/*.ts', { cwd: ROOT, exclude: ['shared/client/**'] })) {
    const source = await readFile(path.join(ROOT, file), 'utf8');
    for (const [, clause = '', specifier = ''] of source.matchAll(IMPORT)) {
      if (specifier.startsWith('node:') || SDK.test(specifier)) {
        continue;
      }
      const exported = Object.keys((await import(specifier)) as object);
      const [, namespace] = /^\* as (\w+)$/.exec(clause) ?? [];
      const mentioned =
        namespace === undefined
          ? clause.startsWith('{')
            ? [...clause.matchAll(/\w+/g)].map(([name]) => name)
            : ['default']
          : [...source.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g'))].map(([, name = '']) => name);
      const known = names.get(specifier) ?? [];
      names.set(specifier, new Set([...known, ...mentioned.filter((name) => exported.includes(name))]));
    }
  }
  return names;
}

const LOAD_LIBRARY = `
  const { libraries } = require(process.argv[1]);
  const from = performance.now();
  libraries[process.argv[2]]();
  console.log(performance.now() - from);
`;

async function loadLibraries(
  dir: string,
  libraries: readonly Library[],
): Promise<readonly (Library & { readonly ms: number })[]> {
  const loads = libraries.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { name }] of libraries.entries()) {
      const ms = Number(await runFresh(dir, LOAD_LIBRARY, path.join(dir, `${LIBRARIES}.js`), name));
      loads[index]?.push(ms);
    }
  }
  return libraries
    .map((library, index) => ({ ...library, ms: quantile(loads[index] ?? [], 0.5) }))
    .toSorted((a, b) => b.ms - a.ms);
}

/* --- the report --- */

/** Functions that load the same kind of thing, and whether a function is one of them. */
const KINDS: Readonly<Record<string, (name: string) => boolean>> = {
  'that change something': (name) => rowOf(name)?.idempotent === true,
  'that read': (name) => rowOf(name)?.permission != null && rowOf(name)?.idempotent === false,
  'of payers and receivers': (name) => rowOf(name)?.permission === null && hasAccess(name),
  workers: (name) => WORKERS.includes(name),
  'without the store': (name) => !hasAccess(name),
};

/** Whether a function touches the table. */
function hasAccess(name: string): boolean {
  return grantsOf(name).length > 0;
}

function rowOf(name: string) {
  return allOperations.find((row) => functionNameOf(row) === name);
}

function describeKinds(measured: readonly Measured[], bare: Measured): string[] {
  const rows = Object.entries(KINDS).map(([kind, isOne]) => {
    const ones = measured.filter(({ name }) => isOne(name));
    const [worst] = ones;
    return `| ${ones.length} ${kind} | ${range(ones, 'kilobytes')} | ${range(ones, 'ms')} | ${range(ones, 'cpuMs')} | ${quantile(
      ones.map(({ wallRatio }) => wallRatio),
      0.5,
    ).toFixed(2)} | ${worst?.ratio.toFixed(2)}, \`${worst?.name}\` |`;
  });
  return [
    `Loading each function's bundle in a process of its own (medians of ${ROUNDS}, taken by turns), against a bundle of the AWS SDK alone, made and loaded in the same way: a document client and the commands that it sends. More than ${RATIO_MAX} times that of the SDK fails, by the clock or of a processor, which a start has too little of on Lambda.`,
    '',
    '| Functions | KB | Load, ms | Processor, ms | Load, to SDK | Processor, highest to SDK |',
    '|---|---:|---:|---:|---:|---|',
    `| the SDK alone | ${bare.kilobytes.toFixed(0)} | ${bare.ms.toFixed(0)} | ${bare.cpuMs.toFixed(0)} | 1 | 1 |`,
    ...rows,
  ];
}

function range(ones: readonly Measured[], figure: 'kilobytes' | 'ms' | 'cpuMs'): string {
  const values = ones.map((one) => one[figure]);
  const [least, most] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(0));
  return least === most ? `${least}` : `${least}–${most}`;
}

function describeLibraries(libraries: readonly (Library & { readonly ms: number })[]): string[] {
  return [
    'What each library adds to that, loaded after the SDK and cut down to what is used of it (what two libraries share counts for both):',
    '',
    '| Library | In functions | KB | ms |',
    '|---|---:|---:|---:|',
    ...libraries.map(
      ({ name, functions, kilobytes, ms }) =>
        `| \`${name}\` | ${functions} | ${kilobytes.toFixed(0)} | ${ms.toFixed(1)} |`,
    ),
  ];
}

function describePackages({ outputs }: Metafile): string {
  const typical = Object.entries(outputs).find(([file]) => file.endsWith(`/${TYPICAL}.js`))?.[1];
  const packages = [...bytesByPackage(typical?.inputs ?? {})].toSorted(([, a], [, b]) => b - a);
  const largest = packages.slice(0, LARGEST_PACKAGES).map(([name, bytes]) => `${name} ${kilo(bytes)}`);
  return `Of the ${kilo(typical?.bytes ?? 0)} of \`${TYPICAL}\`: ${largest.join(', ')}.`;
}

function kilo(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} KB`;
}

const OWN = 'the service itself';

function bytesByPackage(inputs: Metafile['outputs'][string]['inputs']): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
    const name = packageOf(file) ?? OWN;
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }
  return bytes;
}

function packageOf(file: string): string | undefined {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
}

function printEach(measured: readonly Measured[]): void {
  for (const { name, kilobytes, ms, cpuMs, ratio } of measured) {
    const figures = [
      `${kilobytes.toFixed(0)} KB`,
      `${ms.toFixed(0)} ms`,
      `${cpuMs.toFixed(0)} ms of processor`,
    ];
    console.log(`${ratio.toFixed(2).padStart(6)}  ${name}: ${figures.join(', ')}`);
  }
}
