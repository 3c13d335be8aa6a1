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
