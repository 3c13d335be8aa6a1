import { expect, test } from 'vitest';
import { shortText } from '../../../infra/mcp/short-text.ts';

const TEXT = 'One sentence. `Two` of them. The third.';

test.each([
  [100, TEXT],
  [TEXT.length, TEXT],
  [TEXT.length - 1, 'One sentence. `Two` of them. …'],
  [20, 'One sentence. …'],
  [1, 'One sentence. …'],
])('a text of at most %d characters is whole sentences', (maxChars, expected) => {
  expect(shortText(TEXT, maxChars)).toBe(expected);
});

test('a text of one sentence stays as it is, however long', () => {
  expect(shortText('Version 1.2 of it.', 3)).toBe('Version 1.2 of it.');
});
