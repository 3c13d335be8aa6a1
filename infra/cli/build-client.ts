import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { clientRows } from '../../shared/client/client-rows.ts';
import { declareClient } from './build-client/declare-client.ts';

/* npm run build:client: builds the client as a package without dependencies, in dist/client. */

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The module formats of the package, and their files. */
const FORMATS = [
  { format: 'esm', code: 'index.js', types: 'index.d.ts' },
  { format: 'cjs', code: 'index.cjs', types: 'index.d.cts' },
] as const;

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
    '.': {
      import: { types: './index.d.ts', default: './index.js' },
      require: { types: './index.d.cts', default: './index.cjs' },
    },
    './package.json': './package.json',
  },
};

/** Writes the package into a folder, and removes everything else from it. */
export async function buildClient(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const { text, values } = await declareClient();
  const inputs = await Promise.all(
    FORMATS.map(async ({ format, code, types }) => {
      await writeFile(path.join(dir, types), text);
      return bundle(values, format, path.join(dir, code));
    }),
  );
  const { version, license } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const manifest = JSON.stringify({ ...MANIFEST, version, license }, null, 2);
  await writeFile(path.join(dir, 'package.json'), `${manifest}\n`);
  await writeFile(path.join(dir, 'README.md'), await readFile(path.join(ROOT, 'shared/client/README.md')));
  await writeFile(path.join(dir, 'THIRD-PARTY.txt'), await noticesOf(inputs.flat()));
}

/**
 * Writes a bundle and its source map.
 * @returns the source files that are in it
 */
async function bundle(
  values: ReadonlyMap<string, readonly string[]>,
  format: 'esm' | 'cjs',
  file: string,
): Promise<string[]> {
  const exported = [...values].map(([source, names]) => `export { ${names.join(', ')} } from './${source}';`);
  const { metafile, outputFiles } = await build({
    stdin: { contents: exported.join('\n'), resolveDir: ROOT, sourcefile: 'index.ts' },
    absWorkingDir: ROOT,
    // Nothing is written there: the source map resolves its paths from here.
    outfile: path.join(ROOT, path.basename(file)),
    write: false,
    format,
    bundle: true,
    minify: true,
    // Node has every global that browsers have.
    platform: 'browser',
    target: 'es2022',
    sourcemap: true,
    sourceRoot: `${MANIFEST.name}/`,
    metafile: true,
    plugins: [ROWS_AS_DATA],
  });
  for (const { path: name, contents } of outputFiles) {
    await writeFile(path.join(path.dirname(file), path.basename(name)), contents);
  }
  return Object.keys(metafile.inputs);
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

/** The licenses of the bundled packages, which have to be included. */
async function noticesOf(inputs: readonly string[]): Promise<string> {
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
