import { readFileSync } from 'node:fs';

/** A style of this house by its path in `shared/`: for the bundler of functions, and where pages run from source. */
export function readStyle(file: `${string}.css`): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}
