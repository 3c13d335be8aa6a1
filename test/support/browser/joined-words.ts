import type { Page } from 'playwright-core';

/** Words of two elements that a reader sees as one: nothing stands between them. */
export function joinedWords(page: Page): Promise<string[]> {
  return page.evaluate(JOINED_WORDS);
}

/** As a text, since what runs in a page has the types of a page. */
const JOINED_WORDS = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  let before = null;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()];
    if (rects.length === 0 || node.parentElement.closest('pre, code, .unseen') !== null) {
      continue;
    }
    const [first, last] = [rects[0], rects.at(-1)];
    const isJoined =
      before !== null &&
      before.node.parentElement !== node.parentElement &&
      Math.abs(first.bottom - before.last.bottom) < first.height / 2 &&
      Math.abs(first.left - before.last.right) < 2 &&
      /[\\p{L}\\p{N}]$/u.test(before.node.data) &&
      /^[\\p{L}\\p{N}]/u.test(node.data);
    if (isJoined) {
      found.push(before.node.data.slice(-20) + '|' + node.data.slice(0, 20));
    }
    before = { node, last };
  }
  return found;
})()`;
