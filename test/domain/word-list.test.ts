import { expect, test } from 'vitest';
import { wordList } from '../../shared/domain/word-list.ts';

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j is said as "%s"', (words, text) => {
  expect(wordList(words)).toBe(text);
  expect(wordList(words, 'or')).toBe(text.replace(' and ', ' or '));
});
