import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { buildOpenApi } from '../../contract/openapi.ts';
import { type ConsoleOperation, readOperations } from '../../story/read-operations.ts';

/** Bundles the modules of the console into one script for browsers. */
export function buildConsoleScript(): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('main.tsx', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2024',
    minify: true,
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    define: { BUILT_OPERATIONS: JSON.stringify(callableOperations()) },
  });
  return outputFiles[0]?.text ?? '';
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
