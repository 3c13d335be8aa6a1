import { inLanguage } from '../../story/language.ts';
import type { Lookup } from '../../story/search.ts';

const EN = {
  label: 'Search',
  title: (text: string) => `Search for “${text}”`,
  by: {
    number: (value: string) => `The payment number ${value}`,
    amount_minor: (value: string) => `Payments of ${value}`,
    customer_email: (value: string) => `Payments of ${value}`,
    reference: (value: string) => `Payments with the reference ${value}`,
    reference_prefix: (value: string) => `Payments whose reference begins with ${value}`,
  } satisfies Record<Lookup['by'], (value: string) => string>,
};

const TH: typeof EN = {
  label: 'ค้นหา',
  title: (text) => `ค้นหา “${text}”`,
  by: {
    number: (value) => `รายการเลขที่ ${value}`,
    amount_minor: (value) => `รายการที่มียอด ${value}`,
    customer_email: (value) => `รายการของ ${value}`,
    reference: (value) => `รายการที่มีเลขอ้างอิง ${value}`,
    reference_prefix: (value) => `รายการที่เลขอ้างอิงขึ้นต้นด้วย ${value}`,
  },
};

export const searchTexts = inLanguage({ en: EN, th: TH });
