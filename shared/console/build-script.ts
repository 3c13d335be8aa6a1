import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

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
  });
  return outputFiles[0]?.text ?? '';
}
