import { expect, test } from 'vitest';
import { unbalancedTags } from './html-tags.ts';

test.each([
  ['<p>a<br>b</p>', []],
  ['<svg><path d=""/></svg>', []],
  ['<p><b>a</p></b>', ['</p>']],
  ['<main><p>a</p>', ['main']],
])('the reader of tags finds in %s the tags %j', (html, tags) => {
  expect(unbalancedTags(html)).toEqual(tags);
});
