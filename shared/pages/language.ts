const LANGUAGES = ['en', 'th'] as const;
export type Language = (typeof LANGUAGES)[number];

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
