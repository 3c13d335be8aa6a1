import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printIndex } from './operation-index.ts';

it('the index of operations is that of the code (npm run contract renews it)', { tags: 'slow' }, () => {
  const index = printIndex();
  expect(readFileSync('shared/INDEX.md', 'utf8')).toBe(index);
  // A command of a machine has its own event, and no other.
  expect(index).toMatch(/^\| `payments\.CancelRefund` .* \| `refund\.canceled` \| /m);
});
