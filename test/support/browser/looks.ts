import type { Page } from 'playwright-core';

/** @returns the ids and numbers that are broken over two lines */
export const brokenIds = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.parentElement.closest('pre, textarea, script, style')) continue;
      for (const { 0: id, index } of text.data.matchAll(/[a-z]{2,6}_(?:…[0-9a-z]{6}|[0-9a-hjkmnp-tv-z]{26})|\\b[A-Z]-\\d{6,}/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + id.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(id);
      }
    }
    return found;
  })()`);

/** @returns the texts of what is chosen, and looks as what beside it is not */
export const unmarkedChoices = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const CHOSEN = '[aria-current], [aria-pressed="true"], [aria-selected="true"]';
    const lookOf = (element) => {
      const { color, backgroundColor, borderColor, fontWeight, boxShadow } = getComputedStyle(element);
      return [color, backgroundColor, borderColor, fontWeight, boxShadow].join();
    };
    return [...document.querySelectorAll(CHOSEN)]
      .filter((chosen) => chosen.checkVisibility())
      .filter((chosen) => {
        const item = chosen.parentElement.children.length > 1 ? chosen : chosen.parentElement;
        const others = [...item.parentElement.querySelectorAll(chosen.tagName)].filter(
          (each) => !each.matches(CHOSEN) && !each.matches(':hover') && each.className === chosen.className,
        );
        return others.some((each) => lookOf(each) === lookOf(chosen));
      })
      .map((chosen) => chosen.innerText);
  })()`);
