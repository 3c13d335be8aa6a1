import type { Language } from '../domain/language.ts';
import type { DocsKind } from './contents.ts';

const EN = {
  /** After the title of a page. */
  about: 'the documentation of the payment API.',
  menu: 'Menu',
  docs: 'Docs',
  dashboard: 'Dashboard',
  language: 'Language',
  contents: 'Contents',
  onThisPage: 'On this page',
  search: 'Search',
  searchLabel: 'Search the documentation',
  copy: 'Copy',
  copied: 'Copied',
  /** What the tabs over a sample choose. */
  samples: 'Language of the samples',
  kinds: {
    guide: 'Guides',
    operation: 'Operations',
    object: 'Objects',
    event: 'Events',
    error: 'Errors',
  } as Readonly<Record<DocsKind, string>>,
  kind: {
    guide: 'guide',
    operation: 'operation',
    object: 'object',
    event: 'event',
    error: 'error',
  } as Readonly<Record<DocsKind, string>>,
  /** What stands above a page that is not in the language of its frame. */
  guideInEnglish: '',
  pageInEnglish: '',
  index: {
    title: 'Documentation',
    isNew: 'New here?',
    firstPayment: 'Make a first payment',
    firstPaymentHint: ': it takes a few minutes, and moves no money.',
  },
  found: {
    title: 'Search',
    nothing: (query: string) => `Nothing was found for “${query}”.`,
    count: (count: number, query: string) => `${count} found for “${query}”.`,
    all: 'See all pages',
  },
  missing: {
    title: 'Page not found',
    hint: 'There is nothing at this address. Check it for typing errors, search above, or begin at',
    begin: 'the documentation',
    request: 'Request',
  },
};

type DocsTexts = typeof EN;

const TH: DocsTexts = {
  about: 'เอกสารของ API ชำระเงิน',
  menu: 'เมนู',
  docs: 'เอกสาร',
  dashboard: 'แดชบอร์ด',
  language: 'ภาษา',
  contents: 'สารบัญ',
  onThisPage: 'ในหน้านี้',
  search: 'ค้นหา',
  searchLabel: 'ค้นหาในเอกสาร',
  copy: 'คัดลอก',
  copied: 'คัดลอกแล้ว',
  samples: 'ภาษาของตัวอย่าง',
  kinds: {
    guide: 'คู่มือ',
    operation: 'คำสั่ง API',
    object: 'ออบเจ็กต์',
    event: 'เหตุการณ์',
    error: 'ข้อผิดพลาด',
  },
  kind: {
    guide: 'คู่มือ',
    operation: 'คำสั่ง API',
    object: 'ออบเจ็กต์',
    event: 'เหตุการณ์',
    error: 'ข้อผิดพลาด',
  },
  guideInEnglish: 'คู่มือเป็นภาษาอังกฤษ',
  pageInEnglish: 'เนื้อหาของหน้านี้เป็นภาษาอังกฤษ',
  index: {
    title: 'เอกสาร',
    isNew: 'เพิ่งเริ่มใช้งาน?',
    firstPayment: 'ลองรับชำระเงินครั้งแรก',
    firstPaymentHint: ' ใช้เวลาไม่กี่นาที และไม่มีการโอนเงินจริง',
  },
  found: {
    title: 'ค้นหา',
    nothing: (query) => `ไม่พบผลลัพธ์สำหรับ “${query}”`,
    count: (count, query) => `พบ ${count} รายการสำหรับ “${query}”`,
    all: 'ดูทุกหน้า',
  },
  missing: {
    title: 'ไม่พบหน้านี้',
    hint: 'ไม่มีหน้าตามที่อยู่นี้ กรุณาตรวจสอบตัวสะกด ค้นหาด้านบน หรือเริ่มที่',
    begin: 'หน้าเอกสาร',
    request: 'คำขอ',
  },
};

const CATALOGUE: Readonly<Record<Language, DocsTexts>> = { en: EN, th: TH };

/** The texts around the pages of the documentation. */
export function docsTextsOf(language: Language): DocsTexts {
  return CATALOGUE[language];
}
