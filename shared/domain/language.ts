/** The languages of payers and merchants, each by its own name. */
export const LANGUAGE_NAMES = { en: 'English', th: 'ไทย' } as const;
export type Language = keyof typeof LANGUAGE_NAMES;
