import { describe, expect, it } from 'vitest';
import { inLanguage, languageNamed, languageOf } from '../../shared/pages/language.ts';

describe('the language of a page', () => {
  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['th', 'th'],
    ['th-TH,th;q=0.9,en;q=0.8', 'th'],
    ['en-US,en;q=0.9,th;q=0.8', 'en'],
    ['fr-FR, th;q=0.5, en;q=0.4', 'th'],
    ['fr, de', 'en'],
    ['TH', 'th'],
    ['th;q=0, en;q=0.1', 'en'],
    ['en;q=0.1, th;q=0.2', 'th'],
    ['*', 'en'],
    [';;;,q=', 'en'],
  ])('for %j is %s', (header, language) => {
    expect(languageOf(header)).toBe(language);
  });
});

describe('the language that an address names', () => {
  it.each([
    ['th', 'th'],
    ['en', 'en'],
    ['TH', undefined],
    ['fr', undefined],
    ['', undefined],
    ['"><script>', undefined],
    [undefined, undefined],
  ])('%j is %s', (name, language) => {
    expect(languageNamed(name)).toBe(language);
  });

  it('is kept by addresses beside what else they say', () => {
    expect(inLanguage('https://pay.example/checkout/t?step=provider', 'th')).toBe(
      'https://pay.example/checkout/t?step=provider&lang=th',
    );
    expect(inLanguage('https://pay.example/l/code', undefined)).toBe('https://pay.example/l/code');
  });
});
