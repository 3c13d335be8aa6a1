import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { printContractTypes } from './print-contract-types.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The files with the public types of the client, except those that follow from the table. */
export const CLIENT_FILES = [
  'shared/errors/field-error.ts',
  'shared/client/answer.ts',
  'shared/client/call-options.ts',
  'shared/client/call-error.ts',
  'shared/client/list.ts',
  'shared/client/client.ts',
  'shared/client/webhooks.ts',
];

/** The files with the public types of `payments-kit/testing`. */
const TESTING_FILES = [
  'shared/client/testing/start-service.ts',
  'shared/client/testing/event-collector.ts',
  'shared/client/testing/webhook-collector.ts',
  'shared/client/testing/create-test-world.ts',
];

/** What an entry of the package declares: its types in one text, and its values, by file. */
export interface DeclaredEntry {
  readonly text: string;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/**
 * The types of the client in one text that imports nothing, and the values that they declare, by file. Declarations
 * that are marked `@internal` are left out of both.
 *
 * `tsc` emits the declarations of each file. Types that they import from the table and the catalogue are inferred from
 * schemas. They are replaced by explicit types with the document's field descriptions (a test compares both).
 *
 * Those of `payments-kit/testing` import the client's from `./index.js`.
 */
export async function declareClient(): Promise<{ client: DeclaredEntry; testing: DeclaredEntry }> {
  const declared = await emitDeclarations([...CLIENT_FILES, ...TESTING_FILES]);
  return {
    client: entryOf(CLIENT_FILES, declared, printContractTypes()),
    testing: entryOf(
      TESTING_FILES,
      declared,
      "import type { Client, Event as EventView } from './index.js';\n",
    ),
  };
}

function entryOf(
  files: readonly string[],
  declared: ReadonlyMap<string, string>,
  beginning: string,
): DeclaredEntry {
  const texts = files.map((file) => [file, String(declared.get(file))] as const);
  const values = texts.map(
    ([file, text]) =>
      [
        file,
        [...text.matchAll(/^export declare (?:function|class|const) (\w+)/gm)].map(([, name]) =>
          String(name),
        ),
      ] as const,
  );
  const text = [beginning, ...texts.map(([, each]) => withoutImports(each)), 'export {};\n'].join('\n');
  return { text, values: new Map(values.filter(([, names]) => names.length > 0)) };
}

/** @returns a text for each file */
async function emitDeclarations(sources: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-declarations-'));
  try {
    const compilerOptions = {
      noEmit: false,
      // `npm run check` checks the types.
      noCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: ROOT,
      outDir: dir,
      types: ['node'],
      typeRoots: [path.join(ROOT, 'node_modules/@types')],
    };
    const config = path.join(dir, 'tsconfig.json');
    const files = sources.map((file) => path.join(ROOT, file));
    await writeFile(
      config,
      JSON.stringify({ extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
    );
    await promisify(execFile)(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', config]);
    const texts = sources.map(
      async (file) => [file, await readFile(path.join(dir, file.replace(/\.ts$/, '.d.ts')), 'utf8')] as const,
    );
    return new Map(await Promise.all(texts));
  } finally {
    await rm(dir, { recursive: true });
  }
}

function withoutImports(declarations: string): string {
  return declarations.replaceAll(/^(?:import .*|export \{\};)\n/gm, '');
}
