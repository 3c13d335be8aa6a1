import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printIndex } from './operation-index.ts';

it('the index of operations is that of the code (npm run contract renews it)', { tags: 'slow' }, () => {
  expect(readFileSync('shared/INDEX.md', 'utf8')).toBe(printIndex());
});
