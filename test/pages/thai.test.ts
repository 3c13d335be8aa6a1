import { expect, test } from 'vitest';
import { readLinkForm, renderLinkPage } from '../../shared/pages/link-page.ts';
import { failureText, textsOf } from '../../shared/pages/texts.ts';
import { rawMarkdownIn } from '../support/browser/raw-markdown.ts';
import { textsIn } from '../support/browser/texts-in.ts';
import { aPaymentLink, aWorld } from '../support/world/entities.ts';

const THAI = /[\u0e00-\u0e7f]/;
/** Names that Thai payers know only in Latin letters. */
const BRANDS = ['LINE Pay', 'ShopeePay'];

const th = textsOf('th');
const texts = textsIn(th);

test('every Thai text is in Thai, except the brand names', () => {
  expect(texts.length).toBe(textsIn(textsOf('en')).length);
  expect(texts.filter((text) => !THAI.test(text))).toEqual(BRANDS);
});

test.each(['en', 'th'] as const)('no text that payers read has raw Markdown: %s', (language) => {
  expect(textsIn(textsOf(language)).flatMap(rawMarkdownIn)).toEqual([]);
});

test('the word for shop never breaks in two', () => {
  expect(texts.filter((text) => text.includes('ร้าน\u2060ค้า')).length).toBeGreaterThan(5);
  expect(texts.filter((text) => text.includes('ร้านค้า'))).toEqual([]);
});

test('Thai texts use one word for paying, and no gendered particles', () => {
  expect(texts.filter((text) => /จ่าย|ค่ะ|ครับ/.test(text))).toEqual([]);
});

/** As one who writes Thai wrote them. Between the parts of the word for shop stands U+2060. */
const PHRASES = {
  'the method direct debit': [th.methods.direct_debit, 'หักบัญชีธนาคาร (Direct Debit)'],
  'a paid payment': [th.states.succeeded, 'ชำระเงินสำเร็จ ขอบคุณที่ใช้บริการ'],
  'an exceeded limit': [failureText('limit_exceeded', th), 'ยอดชำระเกินวงเงินที่บัญชีทำรายการได้'],
  'an unknown failure': [failureText('X-42', th), 'ธนาคารไม่อนุมัติรายการ (รหัส X-42) กรุณาลองวิธีอื่น'],
  'wallets in general, which decline': [failureText('declined', th), 'แอปวอลเล็ต'],
  'wallets in general, which time out': [failureText('timeout', th), 'แอปวอลเล็ต'],
  'wallets in general, simulated': [th.simulated, 'แอปวอลเล็ต'],
  'an exhausted link': [th.unavailableAdvice.exhausted, 'กรุณาขอลิงก์ใหม่จากร้าน\u2060ค้า'],
  'a reserved link': [
    th.unavailableAdvice.reserved('15:04\u00a0น.'),
    'กรุณากลับมาใหม่หลัง 15:04\u00a0น. หากยังไม่มีการชำระเงิน',
  ],
  'late money': [th.paidLate, 'ได้รับเงินแล้ว แต่หลังหมดเวลา หากยังไม่มีการยืนยัน กรุณาติดต่อร้าน\u2060ค้า'],
  'the note of a transfer': [th.transferNote, 'ใส่รหัสนี้ในช่องบันทึกช่วยจำ'],
  'the account for a refund': [th.refundByEmail, 'เพื่อขอเลขบัญชีรับเงินคืน'],
  'a link that leads nowhere': [th.problemPages.notFound.advice, 'ลิงก์อาจไม่ถูกต้อง'],
  'the QR to save': [th.saveQr, 'บันทึกรูป QR'],
} as const;

test.each(Object.entries(PHRASES))(
  'the Thai of %s is as one who writes it wrote it',
  (_what, [text, phrase]) => {
    expect(text).toContain(phrase);
  },
);

test('field errors name the field and its bounds in Thai', () => {
  const thb = (minor: number) => ({ currency: 'THB', minor }) as const;
  const link = aPaymentLink({
    amountType: 'open',
    amount: null,
    minAmount: thb(2_000),
    maxAmount: thb(500_000),
    collect: { name: 'required', email: 'required', phone: 'optional' },
  });
  const errorsOf = (form: Record<string, string>) => {
    const { problems } = readLinkForm(link, form, 1_000);
    const view = { link, world: aWorld(), language: 'th', leastMinor: 1_000, attempt: 'a' } as const;
    const page = renderLinkPage({ ...view, form, problems: problems ?? {} });
    return [...page.matchAll(/<p class="bad" id="(\w+)-problem">(.*?)<\/p>/g)].map(([, field, text]) => [
      field,
      text,
    ]);
  };
  const wrong = { amount: '19.99', name: 'ก'.repeat(121), email: 'somchai', phone: '12' };
  expect(errorsOf(wrong)).toEqual([
    ['amount', 'กรุณากรอกจำนวนเงิน ขั้นต่ำ ฿20.00 ไม่เกิน ฿5,000.00 เป็นตัวเลข เช่น 250.50'],
    ['name', 'กรุณากรอกชื่อ-นามสกุลไม่เกิน 120 ตัวอักษร'],
    ['email', 'กรุณากรอกอีเมลให้ถูกต้อง ไม่เกิน 254 ตัวอักษร เช่น name@example.com'],
    ['phone', 'กรุณากรอกเบอร์โทรศัพท์ 9 ถึง 15 หลัก เช่น 081-234-5678 หรือ +66 81 234 5678'],
  ]);
  expect(errorsOf({ amount: '20' })).toEqual([
    ['name', 'กรุณากรอกชื่อ-นามสกุล'],
    ['email', 'กรุณากรอกอีเมล'],
  ]);
});
