import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { contentsOf, type DocsEntry, operationsIn } from '../../shared/docs/contents.ts';
import type { DocsPage } from '../../shared/docs/docs-page.ts';
import { errorPage, errorsPage } from '../../shared/docs/error-pages.ts';
import { eventPage } from '../../shared/docs/event-page.ts';
import { guidePage } from '../../shared/docs/guide-page.ts';
import { indexPage, searchPage } from '../../shared/docs/index-page.ts';
import { objectPage } from '../../shared/docs/object-page.ts';
import { operationPage } from '../../shared/docs/operation-page.ts';
import { renderDocs } from '../../shared/docs/render-docs.ts';
import { documentAt } from '../../shared/docs/service-document.ts';
import { startPage } from '../../shared/docs/start-page.ts';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import { catalogue } from '../../shared/errors/catalogue.ts';
import { unbalancedTags, withoutTags } from '../support/browser/html-tags.ts';
import { rawMarkdownIn } from '../support/browser/raw-markdown.ts';

const ROOT = '/prod';
const BASE_URL = `https://pay.example.com${ROOT}`;
const document = documentAt(BASE_URL);
const entries = contentsOf(document);

/** How the functions find the page of an entry. */
const FIND: Record<DocsEntry['kind'], (name: string) => DocsPage | null> = {
  guide: (name) => guidePage(BASE_URL, ROOT, name),
  operation: (name) => operationPage(document, ROOT, name),
  object: (name) => objectPage(document, ROOT, name),
  event: (name) => eventPage(document, ROOT, name),
  error: (name) => errorPage(document, ROOT, name),
};

const pages: [path: string, page: DocsPage | null][] = [
  ...entries.map(({ kind, name, path }): [string, DocsPage | null] => [path, FIND[kind](name)]),
  ['/', startPage(BASE_URL, ROOT)],
  ['/docs', indexPage(document, ROOT, 'en')],
  ['/docs', searchPage(document, ROOT, 'refund', 'en')],
  ['/errors', errorsPage(ROOT)],
];
/** The parts of pages that links may lead to: `/docs#guides`. */
const fragments = new Set(
  pages.flatMap(([path, page]) =>
    [...(page?.body.text ?? '').matchAll(/ id="([^"]+)"/g)].map(([, id]) => `${path}#${id}`),
  ),
);

describe('the documentation', () => {
  it('has a page of every operation, object, event and error', () => {
    const named = (kind: string) => entries.filter((entry) => entry.kind === kind).map(({ name }) => name);
    expect(named('operation').toSorted()).toEqual(Object.keys(operations).toSorted());
    expect(named('object')).toEqual(Object.keys(document.components.schemas));
    expect(named('event')).toEqual([...EVENT_TYPES, 'webhook.ping']);
    expect(named('error')).toEqual(Object.keys(catalogue));
  });

  it.each(Object.keys(FIND) as DocsEntry['kind'][])('has no page of a %s that does not exist', (kind) => {
    expect(FIND[kind]('toString')).toBeNull();
    expect(FIND[kind]('nothing')).toBeNull();
  });

  it('shows of an operation its fields, its errors, its answer, samples and the way to try it', () => {
    const { text } = operationPage(document, ROOT, 'createPayment')?.body ?? { text: '' };
    for (const part of [
      '<b>POST</b> <code>/api/v1/payments</code>',
      '<dt><code>expires_in_minutes</code> <span class="type">integer (int32)</span></dt>',
      '<dt><code>amount</code> <span class="type"><a href="/prod/docs/objects/MoneyInput">MoneyInput</a></span> <span class="need">required</span></dt>',
      '1 to 43,200.',
      'href="/prod/errors/validation_failed"',
      'Answer 201',
      'href="/prod/console#/api/payments.CreatePayment"',
    ]) {
      expect(text).toContain(part);
    }
    for (const sample of ['curl -X POST', 'client.createPayment(', 'pg call createPayment']) {
      expect(withoutTags(text)).toContain(sample);
    }
  });

  it('names above the code of a guide the file that it is, or else its language', () => {
    const { text } = guidePage(BASE_URL, ROOT, 'webhooks-python')?.body ?? { text: '' };
    const names = [...text.matchAll(/<p class="of">(.+)<\/p>/g)].map(([, name]) => name);
    expect(names.slice(0, 4)).toEqual(['shop.py', 'Shell', 'main.py', 'Shell']);
  });

  it('has the changes, newest first, without links into the repository', () => {
    const { title, body } = guidePage(BASE_URL, ROOT, 'changelog') ?? {};
    expect(title).toBe('Changes');
    expect(body?.text).toContain('Package 0.1.0, not yet released</h2>');
    expect(body?.text).not.toContain('CONTRACT.md');
  });

  it('is addressed by the id of an operation, and finds it by its name in clients, too', () => {
    const byId = operationPage(document, ROOT, 'payments.CreatePayment');
    expect(byId).toEqual(operationPage(document, ROOT, 'createPayment'));
    expect(entries.find(({ name }) => name === 'createPayment')?.path).toBe(
      '/docs/api/payments.CreatePayment',
    );
  });

  it.each(Object.keys(document.webhooks))('shows of %s an example, and how to trigger it', (type) => {
    const { text } = eventPage(document, ROOT, type)?.body ?? { text: '' };
    expect(withoutTags(text)).toContain(`&quot;type&quot;: &quot;${type}&quot;`);
    expect(withoutTags(text).includes(`pg trigger ${type}`)).toBe(type !== 'webhook.ping');
  });

  it('says which operations send or answer an object', () => {
    const { text } = objectPage(document, ROOT, 'Payment')?.body ?? { text: '' };
    expect(text).toContain('<li><a href="/prod/docs/api/payments.GetPayment">Retrieve a payment</a></li>');
    expect(text).toContain('<li><a href="/prod/docs/objects/PaymentPage">PaymentPage</a></li>');
  });

  it('gives programs the parts of the document', () => {
    const createPayment = operationsIn(document).get('createPayment');
    expect(operationPage(document, ROOT, 'createPayment')?.data).toEqual({
      name: 'createPayment',
      ...createPayment,
    });
    expect(objectPage(document, ROOT, 'Payment')?.data).toMatchObject({
      schema: document.components.schemas.Payment,
    });
  });

  it('shows what was searched for as text', () => {
    const { title, body } = searchPage(document, ROOT, '<script>alert(1)</script>', 'en');
    const html = renderDocs(entries, {
      title,
      body,
      root: ROOT,
      path: '/docs',
      query: '"><script>',
      language: 'en',
    });
    expect(html.split('<script').length - 1).toBe(1);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});

describe.each(pages)('the page at %s', (path, page) => {
  const html = page === null ? '' : renderDocs(entries, { ...page, root: ROOT, path, language: 'en' });

  it('is one well-formed HTML document that loads nothing', () => {
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(unbalancedTags(html)).toEqual([]);
    expect(html.match(/<(html|head|body|main|title|h1)\b/g)).toHaveLength(6);
    expect(html).not.toMatch(/<script [^>]|<(img|iframe|object)\b|\bsrc=|undefined<|\[object/);
  });

  it('shows no raw Markdown', () => {
    expect(rawMarkdownIn(html)).toEqual([]);
  });

  it('gives each of its parts an id of its own', () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('leads to pages that exist alone', () => {
    const known = new Set([...pages.map(([known]) => known), ...fragments]);
    const links = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href = '']) => href);
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => `#${id}`));
    const others = links.filter((href) => !href.startsWith('https://') && !ids.has(href));
    expect(others.filter((href) => !href.startsWith(`${ROOT}/`))).toEqual([]);
    const inDocs = others
      .map((href) => href.slice(ROOT.length))
      .map((href) => href.replace(/\?(?:q=\w+&amp;)?lang=(?:en|th)$/, ''))
      .filter((href) => /^\/(docs|errors|$)/.test(href));
    expect(inDocs.filter((href) => !known.has(href))).toEqual([]);
  });
});
