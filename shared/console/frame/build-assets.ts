import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { buildOpenApi } from '../../contract/openapi.ts';
import { type ConsoleOperation, readOperations } from '../../story/read-operations.ts';

/**
 * Bundles the modules of the console into one script for browsers, and its styles into one.
 * @returns both, and the files that are in them
 */
export function buildConsoleAssets() {
  const { outputFiles, metafile } = buildSync({
    entryPoints: ['main.tsx', 'console.css'].map((file) => fileURLToPath(new URL(file, import.meta.url))),
    bundle: true,
    write: false,
    metafile: true,
    outdir: '.',
    format: 'iife',
    target: 'es2024',
    minify: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    define: { BUILT_OPERATIONS: JSON.stringify(callableOperations()) },
  });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  return { script: textOf('.js'), style: textOf('.css'), sources: Object.keys(metafile.inputs) };
}

/** The operations without what only their forms show: enough to call them, and to filter lists. */
export function callableOperations(): ConsoleOperation[] {
  return readOperations(buildOpenApi('https://console.invalid'))
    .filter(({ permission }) => permission !== null)
    .map((operation) => ({
      ...operation,
      summary: '',
      description: '',
      body: null,
      example: {},
      parameters: operation.parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name, required, schema: { type, enum: choices, format } }) => ({
          name,
          in: 'query',
          required,
          schema: {
            ...(type !== undefined && { type }),
            ...(choices !== undefined && { enum: choices }),
            ...(format !== undefined && { format }),
          },
        })),
    }));
}
