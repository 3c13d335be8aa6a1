import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { printContractTypes } from './print-contract-types.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** The files with the public types of the client, except those that follow from the table. */
const FILES = [
  'shared/errors/field-error.ts',
  'shared/client/answer.ts',
  'shared/client/call-options.ts',
  'shared/client/call-error.ts',
  'shared/client/list.ts',
  'shared/client/client.ts',
  'shared/client/webhooks.ts',
];

/**
 * The types of the client in one text that imports nothing, and the values that they declare, by file. Declarations
 * that are marked `@internal` are left out of both.
 *
 * `tsc` emits the declarations of each file. Types that they import from the table and the catalogue are inferred from
 * schemas. They are replaced by explicit types with the document's field descriptions (a test compares both).
 */
export async function declareClient(): Promise<{ text: string; values: ReadonlyMap<string, string[]> }> {
  const declared = await emitDeclarations();
  const values = declared.map(
    (text, place) =>
      [
        String(FILES[place]),
        [...text.matchAll(/^export declare (?:function|class|const) (\w+)/gm)].map(([, name]) =>
          String(name),
        ),
      ] as const,
  );
  const text = [printContractTypes(), ...declared.map(withoutImports), 'export {};\n'].join('\n');
  return { text, values: new Map(values.filter(([, names]) => names.length > 0)) };
}

/** @returns a text for each of FILES */
async function emitDeclarations(): Promise<string[]> {
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
      types: [],
    };
    const config = path.join(dir, 'tsconfig.json');
    const files = FILES.map((file) => path.join(ROOT, file));
    await writeFile(
      config,
      JSON.stringify({ extends: path.join(ROOT, 'tsconfig.json'), compilerOptions, files, include: [] }),
    );
    await promisify(execFile)(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', config]);
    return await Promise.all(
      FILES.map((file) => readFile(path.join(dir, file.replace(/\.ts$/, '.d.ts')), 'utf8')),
    );
  } finally {
    await rm(dir, { recursive: true });
  }
}

function withoutImports(declarations: string): string {
  return declarations.replaceAll(/^(?:import .*|export \{\};)\n/gm, '');
}
