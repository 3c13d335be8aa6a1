import { readFileSync } from 'node:fs';

/**
 * A style of this house by its path from `shared/`, after the tokens that all pages share: for the bundler of functions, and
 * where pages run from source.
 */
export function readStyle(file: `${string}.css`): string {
  return ['pages/tokens.css', file]
    .map(read)
    .join('')
    .replace(/\/\*.*?\*\/|^ +|(?<=[,;:{}]) +|\n/gm, '');
}

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}
