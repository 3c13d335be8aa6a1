import { describe, expect, it } from 'vitest';
import { allOperations } from '../../shared/contract/operations.ts';
import { catalogue, type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';
import { renderErrorPage } from '../../shared/pages/error-page.ts';

const CODES = Object.keys(catalogue) as ErrorCode[];
/** HTML elements that have no end tag. */
const VOID = new Set(['meta', 'br', 'hr', 'img', 'link', 'input']);

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => String(ESCAPES[character]));
}

/** Tags that are not closed, or closed in the wrong order. */
function unbalancedTags(html: string): string[] {
  const open: string[] = [];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (end === '' && !VOID.has(name)) {
      open.push(name);
    } else if (end === '/' && open.pop() !== name) {
      return [`</${name}>`];
    }
  }
  return open;
}

describe('the reader of this test', () => {
  it.each([
    ['<p>a<br>b</p>', []],
    ['<p><b>a</p></b>', ['</p>']],
    ['<main><p>a</p>', ['main']],
  ])('finds in %s the tags %j', (html, tags) => {
    expect(unbalancedTags(html)).toEqual(tags);
  });
});

describe.each(CODES)('the page of %s', (code) => {
  const html = renderErrorPage(code, allOperations);
  const { status, title, advice } = entryOf(code);

  it('names the code, its status, its meaning and the remedy', () => {
    expect(html).toContain(`<title>${code}: ${title}</title>`);
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(`${status} ${code}`);
    expect(html).toContain(`<p>${escaped(advice)}</p>`);
  });

  it('is one well-formed HTML document in English', () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(unbalancedTags(html)).toEqual([]);
    expect(html.match(/<(html|head|body|main|title|h1)\b/g)).toHaveLength(6);
  });

  it('holds no text that a browser would interpret as markup', () => {
    const words = html.replace(/<style>[\s\S]*<\/style>/, '').replaceAll(/<[^>]*>/g, '');
    expect(words).not.toMatch(/[<>]|&(?!\w+;)/);
    expect(html).not.toMatch(/undefined|\[object|<script/);
  });
});

describe('an error page', () => {
  it('lists the operations that can return the code, and no others', () => {
    const html = renderErrorPage('refund_amount_exceeded', allOperations);
    expect(html).toContain('POST /api/v1/payments/{id}/refunds');
    expect(html.match(/<li>/g)).toHaveLength(1);
  });

  it('has no list if no operation can return the code', () => {
    expect(renderErrorPage('method_not_allowed', allOperations)).not.toContain('<ul>');
  });

  it('promises a retry only for codes that can be retried', () => {
    expect(renderErrorPage('rate_limited', allOperations)).toContain('may be sent again');
    expect(renderErrorPage('refund_window_closed', allOperations)).toContain('will not help');
  });
});
