import { describe, expect, test } from 'vitest';
import { acceptedIn, prefersHtml } from '../../shared/http/accepted.ts';

test('an Accept header is read with its weights', () => {
  expect([...acceptedIn('text/html, application/xhtml+xml;q=0.9, */*; level=1; q=0.8')]).toEqual([
    ['text/html', 1],
    ['application/xhtml+xml', 0.9],
    ['*/*', 0.8],
  ]);
});

describe('a page is for people', () => {
  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['TEXT/HTML', true],
    ['application/json;q=0.5, text/html', true],
    ['*/*', false],
    [undefined, false],
    ['application/json', false],
    ['application/json, text/html;q=0.5', false],
    ['text/html;q=0', false],
  ])('by the Accept header %j: %j', (accept, isForPeople) => {
    expect(prefersHtml(accept)).toBe(isForPeople);
  });
});
