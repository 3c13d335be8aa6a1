/// <reference lib="dom" />

import type { Language } from '../domain/language.ts';

/** Where a browser keeps the language that was chosen. */
const CHOSEN = 'payments-language';

/** The language that this page began with: the chosen one, else the browser's. English where there is no page. */
export const LANGUAGE: Language = firstLanguage();

function firstLanguage(): Language {
  const { document, navigator } = globalThis as Partial<typeof globalThis>;
  if (document === undefined) {
    return 'en';
  }
  const chosen =
    languageStorage()?.getItem(CHOSEN) ?? navigator?.languages.find((tag) => /^(en|th)\b/.test(tag));
  return chosen?.startsWith('th') ? 'th' : 'en';
}

/** Keeps a language for this browser. Pages show it from their next start on. */
export function chooseLanguage(language: Language): void {
  languageStorage()?.setItem(CHOSEN, language);
}

/** The texts of a catalogue in the language of this page. A text without its other language does not compile. */
export function inLanguage<Texts>(catalogue: Readonly<Record<Language, Texts>>): Texts {
  return catalogue[LANGUAGE];
}

/** Marks words of the service itself, which are in English, on a page in another language. */
export const foreignWords: { readonly lang?: 'en' } = LANGUAGE === 'en' ? {} : { lang: 'en' };

/** Undefined where the browser allows none. */
function languageStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
