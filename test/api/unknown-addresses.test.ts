import { describe, expect, test } from 'vitest';
import { baseUrl } from '../support/world/merchant.ts';

describe('an address that leads nowhere', () => {
  test.each([
    '/checkouts/x',
    '/nothing',
    '/errors/nothing',
    '/docs/nothing',
    '/docs/api/nothing',
    '/api/v1/nothing',
  ])('gets a problem of the API for programs: %s', async (path) => {
    const response = await fetch(baseUrl + path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test.each(['/checkouts/x', '/nothing', '/errors/nothing', '/docs/nothing', '/docs/api/nothing'])(
    'is a page for people: %s',
    async (path) => {
      const response = await fetch(baseUrl + path, { headers: { Accept: 'text/html' } });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).toContain('<h1>Page not found</h1>');
    },
  );

  test.each(['/api/v1/nothing', '/sink/nothing/more'])('is for programs alone: %s', async (path) => {
    const response = await fetch(baseUrl + path, { headers: { Accept: 'text/html' } });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  test('of a picture is a page of payers for people', async () => {
    const response = await fetch(`${baseUrl}/checkout/nobody/qr.png`, { headers: { Accept: 'text/html' } });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<h1 class="state bad">Payment not found</h1>');
  });
});
