import type { Language } from '../domain/language.ts';

/** In the order in which payers are offered them. */
export const LANGUAGES: readonly Language[] = ['th', 'en'];

/** The language that an `Accept-Language` header prefers (RFC 9110 §12.5.4): English if it accepts none of them. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const preferences = (acceptLanguage ?? '').split(',').map((preference) => {
    const [tag = '', ...parameters] = preference.trim().toLowerCase().split(';');
    const weight = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
    return { language: tag.trim().split('-')[0], weight: Number(weight ?? 1) };
  });
  const liked = preferences.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight);
  const best = liked.find(({ language }) => LANGUAGES.some((known) => known === language));
  return (best?.language as Language | undefined) ?? 'en';
}

/** The language that an address names in `lang`; undefined if it names none of ours. */
export function languageNamed(name: string | undefined): Language | undefined {
  return LANGUAGES.find((language) => language === name);
}

/** An address of ours that keeps the language that the payer chose. */
export function inLanguage(address: string, named: Language | undefined): string {
  if (named === undefined) {
    return address;
  }
  const url = new URL(address);
  url.searchParams.set('lang', named);
  return url.href;
}
