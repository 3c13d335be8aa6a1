import { describe, expect, test } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { baseUrl } from '../support/world/merchant.ts';

const PATHS = [
  '/',
  '/docs',
  '/docs?q=refund',
  '/docs/webhooks',
  '/docs/api/payments.CreatePayment',
  '/docs/api/createPayment',
  '/docs/objects/Payment',
  '/docs/events/payment.succeeded',
  '/errors',
  '/errors/invalid_state',
];

function open(path: string, accept: string) {
  return fetch(baseUrl + path, { headers: { Accept: accept } });
}

describe.each(PATHS)('%s', (path) => {
  test('is an HTML page that names this deployment', async () => {
    const response = await open(path, 'text/html,application/xhtml+xml,*/*;q=0.8');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('vary')).toMatch(/^Accept, Accept-Language(, Accept-Encoding)?$/);
    const text = await response.text();
    expect(text).not.toContain('api.example.com');
    const { pathname } = new URL(`${baseUrl}/docs`);
    expect(text).toContain(`<a href="${pathname}">Docs</a>`);
  });

  test('is JSON for programs', async () => {
    const response = await open(path, '*/*');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('vary')).toMatch(/^Accept, Accept-Language(, Accept-Encoding)?$/);
    expect(Object.keys((await response.json()) as object).length).toBeGreaterThan(0);
  });
});

test('the start page links to the dashboard, the documentation and the document in JSON', async () => {
  expect(await (await open('/', 'application/json')).json()).toEqual({
    dashboard: `${baseUrl}${operations.getConsole.path}`,
    docs: `${baseUrl}${operations.getDocs.path}`,
    errors: `${baseUrl}${operations.getErrorPages.path}`,
    openapi: `${baseUrl}${operations.getOpenApi.path}`,
    asyncapi: `${baseUrl}${operations.getAsyncApi.path}`,
    postman: `${baseUrl}${operations.getPostmanCollection.path}`,
    http_file: `${baseUrl}${operations.getHttpFile.path}`,
  });
});

test('a search finds for programs what it finds for people', async () => {
  const { data } = (await (await open('/docs?q=invalid_state', 'application/json')).json()) as {
    data: { url: string }[];
  };
  expect(data[0]?.url).toBe(`${baseUrl}/errors/invalid_state`);
  expect(await (await open('/docs?q=invalid_state', 'text/html')).text()).toContain('/errors/invalid_state"');
});

test.each(['/docs/webhooks.md', '/docs/webhooks'])('%s is Markdown for who asks for it', async (path) => {
  const accept = path.endsWith('.md') ? 'text/html' : 'text/markdown, text/html;q=0.5';
  const response = await open(path, accept);
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^# Webhooks\n\n/);
  expect(text).toContain(`](${baseUrl}/docs/exam)`);
  expect(text).not.toMatch(/\]\(\/|api\.example\.com/);
});

test('an address with .md that names no guide is unknown', async () => {
  expect((await open('/docs/nothing.md', '*/*')).status).toBe(404);
});

test('llms.txt lists every page, and each can be read as text', async () => {
  const response = await open(operations.getLlmsText.path, '*/*');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^# Payments\n\n> Payments, refunds and payment links/);
  expect(text.match(/^## .+$/gm)).toEqual(
    ['Guides', 'Operations', 'Objects', 'Events', 'Errors'].map((kind) => `## ${kind}`),
  );
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\): \S/gm)].map(([, url]) => String(url));
  const { data } = (await (await open('/docs', 'application/json')).json()) as {
    data: { kind: string; url: string }[];
  };
  expect(links).toEqual(data.map(({ kind, url }) => (kind === 'guide' ? `${url}.md` : url)));
  for (const url of links.filter((_, index) => index % 10 === 0)) {
    const page = await fetch(url);
    expect(page.headers.get('content-type'), url).toMatch(
      /^(text\/markdown; charset=utf-8|application\/json)$/,
    );
  }
});
