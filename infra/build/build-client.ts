import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { clientRows } from '../../shared/client/client-rows.ts';
import { CLIENT_FILES, type DeclaredEntry, declareClient } from './declare-client.ts';

/* npm run build:client: builds the client as a package without dependencies, in dist/client. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The module formats of the package, and the endings of their files. */
const FORMATS = [
  { format: 'esm', code: '.js', types: '.d.ts' },
  { format: 'cjs', code: '.cjs', types: '.d.cts' },
] as const;
type ModuleFormat = (typeof FORMATS)[number];

const MANIFEST = {
  name: 'payments-client',
  description: 'The client of the payment API: retries, lists, typed problems and webhooks.',
  type: 'module',
  sideEffects: false,
  // The first version with AbortSignal.any.
  engines: { node: '>=20.3' },
  main: './index.cjs',
  types: './index.d.cts',
  exports: {
    '.': exportsOf('index'),
    './testing': exportsOf('testing'),
    './package.json': './package.json',
  },
};

function exportsOf(name: string) {
  return {
    import: { types: `./${name}.d.ts`, default: `./${name}.js` },
    require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
  };
}

/** Writes the package into a folder, and removes everything else from it. */
export async function buildClient(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const { client, testing } = await declareClient();
  const inputs = await Promise.all(
    FORMATS.flatMap((format) => [
      writeEntry(dir, 'index', client, format, {
        // Node has every global that browsers have.
        platform: 'browser',
        plugins: [ROWS_AS_DATA, AS_SHIPPED],
      }),
      writeEntry(dir, 'testing', testing, format, {
        platform: 'node',
        plugins: [clientIn(`./index${format.code}`)],
        // An ES module has this by itself.
        define: format.format === 'cjs' ? { 'import.meta.dirname': '__dirname' } : {},
      }),
    ]),
  );
  const { version, license } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const manifest = JSON.stringify({ ...MANIFEST, version, license }, null, 2);
  await writeFile(path.join(dir, 'package.json'), `${manifest}\n`);
  await writeFile(path.join(dir, 'README.md'), await readFile(path.join(ROOT, 'shared/client/README.md')));
  await writeFile(path.join(dir, 'THIRD-PARTY.txt'), await readNotices(inputs.flat()));
}

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
    sourceRoot: `${MANIFEST.name}/`,
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

/** The licenses of the bundled packages, which have to be included. */
async function readNotices(inputs: readonly string[]): Promise<string> {
  const packages = inputs.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const notices = [...new Set(packages)].toSorted().map(async (folder) => {
    const { name, version, license } = JSON.parse(
      await readFile(path.join(ROOT, folder, 'package.json'), 'utf8'),
    );
    const texts = ['LICENSE', 'LICENSE.md'].map((file) =>
      readFile(path.join(ROOT, folder, file), 'utf8').catch(() => ''),
    );
    return `${name} ${version} (${license})\n\n${(await Promise.all(texts)).join('').trim()}`.trim();
  });
  return `${(await Promise.all(notices)).join('\n\n---\n\n')}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dir = path.join(ROOT, 'dist/client');
  await buildClient(dir);
  const { size } = await stat(path.join(dir, 'index.js'));
  console.log(`${path.relative(ROOT, dir)}: ${(size / 1_000).toFixed(1)} KB`);
}
