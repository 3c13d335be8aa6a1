import { describe, expect, it } from 'vitest';
import { errorPage, errorsPage } from '../../shared/docs/error-pages.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { catalogue, type ErrorCode, entryOf } from '../../shared/errors/catalogue.ts';
import { withoutTags } from '../support/browser/html-tags.ts';

const BASE_URL = 'https://pay.example.com/prod';
const CODES = Object.keys(catalogue) as ErrorCode[];
const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => String(ESCAPES[character]));
}

function pageOf(code: ErrorCode) {
  const page = errorPage(documentAt(BASE_URL), '/prod', code);
  return { text: String(page?.body.text), data: page?.data };
}

describe.each(CODES)('the page of %s', (code) => {
  it('names the code, its status, its meaning, its causes and the remedy', () => {
    const { status, title, advice } = entryOf(code);
    const { text, data } = pageOf(code);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(`${status} ${code}`);
    expect(text).toContain(`<p>${escaped(advice)}</p>`);
    expect(text).toMatch(/<h2>Usual causes<\/h2>\n<ul>\n<li>/);
    expect(withoutTags(text)).toContain(escaped(`"type": "${BASE_URL}/errors/${code}"`));
    expect(data).toMatchObject({ code, status, title, advice });
  });
});

describe('an error page', () => {
  it('lists the operations that can return the code, and no others', () => {
    expect(pageOf('refund_amount_exceeded').data).toMatchObject({ operations: ['requestRefund'] });
    expect(pageOf('refund_amount_exceeded').text).toContain('href="/prod/docs/api/payments.RequestRefund"');
  });

  it('has no list of operations if none can return the code', () => {
    expect(pageOf('method_not_allowed').text).not.toContain('Operations that can answer it');
  });

  it('promises a retry only for codes that can be retried', () => {
    expect(pageOf('rate_limited').text).toContain('may be sent again');
    expect(pageOf('refund_window_closed').text).toContain('will not help');
  });

  it('exists for the codes of the catalogue alone', () => {
    expect(errorPage(documentAt(BASE_URL), '', 'toString')).toBeNull();
  });
});

it('the list of errors leads to every code', () => {
  const { body } = errorsPage('/prod');
  expect([...body.text.matchAll(/href="\/prod\/errors\/(\w+)"/g)].map(([, code]) => code).toSorted()).toEqual(
    CODES.toSorted(),
  );
});
