import { execFile, execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin, stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import manifest from '../../package.json' with { type: 'json' };
import { clientRows } from '../../shared/client/client-rows.ts';
import { type BillOfMaterials, billOfBundle, billOfRepository } from './bill-of-materials.ts';
import { builtAssets } from './built-assets.ts';
import { CLIENT_FILES, type DeclaredEntry, declareClient } from './declare-client.ts';

/* npm run build:package: builds what npm can publish, in dist/package, and packs it beside that. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The name at npm. Its command line is `pg`, too; where it is not installed, npx finds it by this name alone. */
export const PACKAGE = 'payments-kit';
const PROGRAM = 'pg.js';
const WORKER = 'schedule-worker.js';
/** The programs, each a file of its own with all that it takes: twice as fast as files that share parts. */
const PROGRAMS: Readonly<Record<string, string>> = {
  [PROGRAM]: 'infra/pg/pg.ts',
  'commands.js': 'infra/pg/run-line.ts',
  'service.js': 'infra/pg/run-service-line.ts',
  'host.js': 'infra/local/host.ts',
  [WORKER]: 'infra/local/schedule-worker.ts',
};
const STARTERS = 'starters';

/** The module formats of the client, and the endings of their files. */
const FORMATS = [
  { format: 'esm', code: '.js', types: '.d.ts' },
  { format: 'cjs', code: '.cjs', types: '.d.cts' },
] as const;
type ModuleFormat = (typeof FORMATS)[number];

/** The platforms that have an engine at npm, which installs that of its own and leaves out the others. */
export const ENGINES = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64'];
const ENGINE_VERSION = manifest.optionalDependencies['@dynoxide/linux-x64'];

const MANIFEST = {
  name: PACKAGE,
  version: manifest.version,
  license: manifest.license,
  description:
    'The payment API of Thailand with its test kit: service, command line, client and helpers for tests.',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=22.13' },
  bin: { pg: `./${PROGRAM}`, [PACKAGE]: `./${PROGRAM}` },
  main: './index.cjs',
  types: './index.d.cts',
  exports: {
    '.': exportsOf('index'),
    './testing': exportsOf('testing'),
    './package.json': './package.json',
  },
  optionalDependencies: Object.fromEntries(ENGINES.map((name) => [`@dynoxide/${name}`, ENGINE_VERSION])),
  // npm publishes it with a proof of the workflow that built it, and by hand not at all.
  publishConfig: { access: 'public', provenance: true },
};
const BILL = 'sbom.cdx.json';

function exportsOf(name: string) {
  return {
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  };
}

/** Files that lie in the package as they are here. */
const COPIED: Readonly<Record<string, string>> = {
  'README.md': 'infra/build/package.md',
  'CLIENT.md': 'shared/client/README.md',
  'DynamoDbOnLoopback.java': 'infra/local/DynamoDbOnLoopback.java',
  'dynamodb-local.xml': 'infra/local/dynamodb-local.xml',
  'python/payments_testing.py': 'shared/client/python/payments_testing.py',
  'schemas/scenario.schema.json': 'shared/scenario.schema.json',
  'schemas/exam.schema.json': 'shared/exam.schema.json',
  'samples/python_shop.py': 'test/exam/shops/python_shop.py',
  ...Object.fromEntries(
    ['vitest.mjs', 'node-test.mjs', 'jest.cjs', 'pytest.py', 'scenario.yaml'].map((name) => [
      `${STARTERS}/${name}`,
      `shared/client/starters/${name}`,
    ]),
  ),
};
/** Files in TypeScript that lie in the package as JavaScript, their comments included. */
const STRIPPED: Readonly<Record<string, string>> = {
  'samples/node-shop.mjs': 'test/exam/shops/node-shop.ts',
};

/** Where a workflow builds it, the repository of that, which the proof of its origin has to name. */
function repositoryIn({ GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv) {
  return GITHUB_REPOSITORY === undefined
    ? {}
    : { repository: { type: 'git', url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } };
}

/**
 * Writes the package into a folder, and removes everything else from it.
 * @param bill that of the repository
 */
export async function buildPackage(dir: string, bill?: BillOfMaterials): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const { client, testing } = await declareClient();
  const inputs = await Promise.all([
    ...FORMATS.flatMap((format) => [
      writeEntry(dir, 'index', client, format, {
        // Node has every global that browsers have.
        platform: 'browser',
        plugins: [ROWS_AS_DATA, AS_SHIPPED],
      }),
      writeEntry(dir, 'testing', testing, format, {
        platform: 'node',
        plugins: [clientIn(`./index${format.code}`)],
        define: {
          BUILT_PROGRAM: JSON.stringify(PROGRAM),
          // An ES module has this by itself.
          ...(format.format === 'cjs' && { 'import.meta.dirname': '__dirname' }),
        },
      }),
    ]),
    writePrograms(dir),
  ]);
  const bundled = await bundledPackages(inputs.flat());
  await writeFile(path.join(dir, 'THIRD-PARTY.txt'), await readNotices(bundled));
  await writePretty(
    path.join(dir, BILL),
    billOfBundle(bill ?? (await billOfRepository(ROOT)), MANIFEST, bundled),
  );
  await Promise.all(['python', 'schemas', 'samples', STARTERS].map((name) => mkdir(path.join(dir, name))));
  for (const [name, source] of Object.entries(COPIED)) {
    await copyFile(path.join(ROOT, source), path.join(dir, name));
  }
  for (const [name, source] of Object.entries(STRIPPED)) {
    await writeFile(path.join(dir, name), asJavaScript(await readFile(path.join(ROOT, source), 'utf8')));
  }
  const files = (await readdir(dir)).toSorted();
  await writePretty(path.join(dir, 'package.json'), { ...MANIFEST, ...repositoryIn(process.env), files });
}

async function writePretty(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** A program without its types, which uses the package as others do. */
function asJavaScript(source: string): string {
  const stripped = stripTypeScriptTypes(source).replaceAll(
    /'(\.\.\/)+shared\/client\/\w+\.ts'/g,
    `'${PACKAGE}'`,
  );
  const formatter = path.join(ROOT, 'node_modules/.bin/biome');
  return execFileSync(formatter, ['format', '--stdin-file-path=sample.mjs'], {
    cwd: ROOT,
    input: stripped,
    encoding: 'utf8',
  });
}

/**
 * Writes the command line, the service and the thread of its clock.
 * @returns the source files that are in them
 */
async function writePrograms(dir: string): Promise<string[]> {
  const assets = builtAssets();
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    write: false,
    entryPoints: Object.entries(PROGRAMS).map(([file, source]) => ({
      in: source,
      out: path.parse(file).name,
    })),
    outdir: dir,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    mainFields: ['module', 'main'],
    // A shop of the samples that fails prints the line that failed, and not a whole bundle.
    minify: false,
    legalComments: 'none',
    // What builds in a clone alone, and the engine, which is a package of its own.
    external: [
      'aws-cdk-lib',
      'constructs',
      'esbuild',
      'marked',
      ...ENGINES.map((name) => `@dynoxide/${name}`),
    ],
    define: {
      ...assets.define,
      BUILT_PACKAGE: JSON.stringify(PACKAGE),
      BUILT_WORKER: JSON.stringify(WORKER),
      BUILT_STARTERS: JSON.stringify(STARTERS),
      BUILT_PYTHON: JSON.stringify('python'),
      BUILT_COMPILED: JSON.stringify(`../.cache/${PACKAGE}`),
    },
    // For the packages in it that are CommonJS.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
    },
    plugins: [PROGRAMS_APART, NO_ROLLOUT, BUILTINS_WHEN_USED],
    metafile: true,
    logLevel: 'warning',
  });
  for (const { path: file, text } of outputFiles) {
    await writeFile(file, inAscii(text));
  }
  await chmod(path.join(dir, PROGRAM), 0o755);
  return [...Object.keys(metafile.inputs), ...assets.sources];
}

/**
 * Escapes every character that is not of ASCII: with a single one, Node keeps the whole text in two bytes a character,
 * and each thread of the service has a text of 3 MB.
 * @param code without such characters in a template of `String.raw`
 */
function inAscii(code: string): string {
  return code.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Leaves out what changes production alone, with its clients of AWS: the host loads functions by their name, so that a
 * bundle has the whole folder.
 */
const NO_ROLLOUT: Plugin = {
  name: 'no rollout',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/functions\/rollout\/[^/]+\.ts$/ }, () => ({ contents: '' }));
  },
};

/** Leaves each program in its own file, from which another one loads it. */
const PROGRAMS_APART: Plugin = {
  name: 'programs apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir, kind }) => {
      const source = path.relative(ROOT, path.resolve(resolveDir, imported));
      const [file] = Object.entries(PROGRAMS).find(([, entry]) => entry === source) ?? [];
      return file !== undefined && kind === 'dynamic-import'
        ? { path: `./${file}`, external: true }
        : undefined;
    });
  },
};

/**
 * Writes the types, the bundle and the source map of an entry.
 * @returns the source files that are in the bundle
 */
async function writeEntry(
  dir: string,
  name: string,
  { text, values }: DeclaredEntry,
  { format, code, types }: ModuleFormat,
  options: BuildOptions,
): Promise<string[]> {
  await writeFile(path.join(dir, `${name}${types}`), text.replace("'./index.js'", `'./index${code}'`));
  const exported = [...values].map(([source, names]) => `export { ${names.join(', ')} } from './${source}';`);
  const { metafile, outputFiles } = await build({
    stdin: { contents: exported.join('\n'), resolveDir: ROOT, sourcefile: `${name}.ts` },
    absWorkingDir: ROOT,
    // Nothing is written there: the source map resolves its paths from here.
    outfile: path.join(ROOT, `${name}${code}`),
    write: false,
    format,
    bundle: true,
    target: 'es2022',
    sourcemap: true,
    sourceRoot: `${PACKAGE}/`,
    metafile: true,
    ...options,
  });
  for (const { path: file, contents } of outputFiles ?? []) {
    await writeFile(path.join(dir, path.basename(file)), contents);
  }
  return Object.keys(metafile?.inputs ?? {});
}

/** Leaves the client in its own file: an error is recognized by its class, which must exist once. */
function clientIn(file: string): Plugin {
  const isClient = (imported: string) =>
    CLIENT_FILES.includes(path.relative(ROOT, imported).replaceAll(path.sep, '/'));
  return {
    name: 'client in its own file',
    setup: ({ onResolve }) => {
      onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir }) =>
        isClient(path.resolve(resolveDir, imported)) ? { path: file, external: true } : undefined,
      );
    },
  };
}

/**
 * Takes Node's own modules without an import: to import `node:http` loads the whole of `fetch`, which most commands and the
 * service itself never use.
 */
const BUILTINS_WHEN_USED: Plugin = {
  name: 'builtins when used',
  setup: ({ onResolve, onLoad }) => {
    const namespace = 'builtin';
    onResolve({ filter: /^[a-z_:/]+$/ }, ({ path: imported }) =>
      isBuiltin(imported) ? { path: imported, namespace } : undefined,
    );
    onLoad({ filter: /.*/, namespace }, ({ path: name }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(name)});`,
    }));
  },
};

/** Replaces the table by the data that the methods need, since rows with schemas are the larger part of a bundle. */
const ROWS_AS_DATA: Plugin = {
  name: 'rows as data',
  setup: ({ onLoad }) => {
    onLoad({ filter: /shared\/client\/client-rows\.ts$/ }, () => ({
      contents: `export const clientRows = ${JSON.stringify(clientRows)};`,
    }));
  },
};

/** Maps what a package ships, since the sources that its own source map names are not in it. */
const AS_SHIPPED: Plugin = {
  name: 'as shipped',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules\/.*\.c?js$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, ''),
    }));
  },
};

interface BundledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The packages that files of a bundle come from, by name. */
async function bundledPackages(inputs: readonly string[]): Promise<BundledPackage[]> {
  const folders = inputs.flatMap(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? [],
  );
  const packages = await Promise.all(
    [...new Set(folders)].map(async (folder) => {
      const text = await readFile(path.join(ROOT, folder, 'package.json'), 'utf8');
      const { name, version, license } = JSON.parse(text) as Omit<BundledPackage, 'folder'>;
      return { folder, name, version, license };
    }),
  );
  return packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The licenses of the bundled packages, which have to be included: each text once, under the packages that have it. */
async function readNotices(packages: readonly BundledPackage[]): Promise<string> {
  const notices = await Promise.all(
    packages.map(async ({ folder, name, version, license }) => {
      const files = (await readdir(path.join(ROOT, folder))).filter((file) =>
        /^(licen[cs]e|notice)/i.test(file),
      );
      const texts = files.map((file) => readFile(path.join(ROOT, folder, file), 'utf8'));
      const text = (await Promise.all(texts)).join('\n').trim();
      return { name: `${name} ${version} (${license})`, text };
    }),
  );
  return Object.entries(Object.groupBy(notices, ({ text }) => text))
    .map(([text, its = []]) =>
      `${its
        .map(({ name }) => name)
        .toSorted()
        .join('\n')}\n\n${text}`.trim(),
    )
    .toSorted()
    .join('\n\n---\n\n')
    .concat('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dir = path.join(ROOT, 'dist/package');
  const bill = await billOfRepository(ROOT);
  await buildPackage(dir, bill);
  await writePretty(path.join(ROOT, 'dist', `${manifest.name}.cdx.json`), bill);
  const packed = ['pack', '--json', '--pack-destination', path.dirname(dir)];
  const { stdout } = await promisify(execFile)('npm', packed, { cwd: dir });
  const [{ filename, size, unpackedSize }] = JSON.parse(stdout) as [
    { filename: string; size: number; unpackedSize: number },
  ];
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  console.log(`dist/${filename}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);
}
