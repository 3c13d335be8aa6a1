import type { Money } from '../domain/money.ts';
import type { PaymentStatus } from '../domain/payment.ts';
import type { Unavailability } from '../domain/payment-link.ts';
import type { PaymentMethod } from '../domain/payment-method.ts';
import type { Language } from './language.ts';

interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

/** What can be wrong with a request of a payer. */
export type ProblemTexts = Readonly<
  Record<'notFound' | 'otherSite' | 'tooLong' | 'unreadable' | 'busy' | 'broken', ProblemText>
>;

/** Everything that a payer reads. */
export interface Texts {
  readonly methods: Readonly<Record<PaymentMethod, string>>;
  readonly states: Readonly<Record<PaymentStatus, string>>;
  readonly unavailable: Readonly<Record<Unavailability, string>>;
  readonly paidLate: string;
  readonly payTo: string;
  readonly reference: string;
  readonly chooseMethod: string;
  readonly scan: string;
  readonly qrOf: (amount: string) => string;
  readonly redirect: (method: string) => string;
  readonly transfer: string;
  readonly bank: string;
  readonly account: string;
  readonly accountName: string;
  readonly timeLeft: string;
  readonly until: (time: string) => string;
  readonly back: string;
  readonly test: string;
  readonly testButtons: string;
  readonly actions: Readonly<Record<'pay' | 'fail' | 'mismatch' | 'late', string>>;
  readonly lateIsComing: string;
  readonly amount: string;
  readonly amountBetween: (min: string | null, max: string | null) => string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly optional: string;
  readonly continue: string;
  readonly tooMany: (seconds: number) => string;
  readonly problemPages: ProblemTexts;
  readonly requestId: string;
  readonly problems: Readonly<Record<'amount' | 'required' | 'email' | 'phone' | 'name', string>>;
}

const EN: Texts = {
  methods: {
    promptpay: 'PromptPay',
    truemoney: 'TrueMoney Wallet',
    linepay: 'LINE Pay',
    shopeepay: 'ShopeePay',
    bank_transfer: 'Bank transfer',
    direct_debit: 'Direct debit',
    installment: 'Instalments',
  },
  states: {
    created: 'Choose how to pay',
    requires_action: 'Waiting for your payment',
    processing: 'Your payment is being checked',
    succeeded: 'Paid. Thank you!',
    failed: 'The payment did not go through',
    expired: 'The time to pay is over',
    canceled: 'This payment was canceled',
  },
  unavailable: {
    disabled: 'This link is not in use any more',
    expired: 'The time of this link is over',
    exhausted: 'Everything that this link was for has been paid',
  },
  paidLate: 'It was paid after its time was over. The shop knows, and will contact you.',
  payTo: 'Payment',
  reference: 'Reference',
  chooseMethod: 'How would you like to pay?',
  scan: 'Scan this code with the app of your bank.',
  qrOf: (amount) => `PromptPay QR code for ${amount}`,
  redirect: (method) => `Go on in ${method} to pay.`,
  transfer: 'Transfer exactly this amount, with this reference.',
  bank: 'Bank',
  account: 'Account number',
  accountName: 'Account name',
  timeLeft: 'Time left',
  until: (time) => `until ${time}`,
  back: 'Back to the shop',
  test: 'Test mode. No money moves.',
  testButtons: 'What happens now?',
  actions: { pay: 'Pay', fail: 'Fail', mismatch: 'Pay the wrong amount', late: 'Pay late' },
  lateIsComing: 'It will be paid a second after its time is over. Move the clock, or wait.',
  amount: 'Amount in baht',
  amountBetween: (min, max) => [min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(', '),
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  optional: 'optional',
  continue: 'Continue to payment',
  tooMany: (seconds) =>
    `Many people are using this link just now. Try again in ${seconds} seconds: what you have entered is kept.`,
  problemPages: {
    notFound: {
      title: 'There is nothing to pay here',
      advice:
        'The address may be mistyped or incomplete, or its time is over. Check it once more, or ask the shop for a new one.',
    },
    otherSite: {
      title: 'This came from another site',
      advice: 'For your safety nothing was done. Open the payment page itself, and go on from there.',
    },
    tooLong: {
      title: 'That is too much text',
      advice: 'Go back and enter less. Nothing was done.',
    },
    unreadable: {
      title: 'What was sent cannot be read',
      advice: 'Nothing was done. Open the payment page once more, and try again from there.',
    },
    busy: {
      title: 'One moment, please',
      advice: 'Wait a few seconds and try again. Nothing is paid twice by that.',
    },
    broken: {
      title: 'Something went wrong on our side',
      advice:
        'Try again in a moment: nothing is paid twice by that. If it stays so, tell the shop the code below.',
    },
  },
  requestId: 'Code for questions:',
  problems: {
    amount: 'Enter an amount within the bounds, such as 250 or 250.50.',
    required: 'This is needed.',
    email: 'Enter an e-mail address, such as name@example.com.',
    phone: 'Enter a phone number, such as 0812345678 or +66812345678.',
    name: 'Enter a name of at most 120 characters.',
  },
};

const TH: Texts = {
  methods: {
    promptpay: 'พร้อมเพย์',
    truemoney: 'ทรูมันนี่ วอลเล็ท',
    linepay: 'LINE Pay',
    shopeepay: 'ShopeePay',
    bank_transfer: 'โอนเงินผ่านธนาคาร',
    direct_debit: 'หักบัญชีธนาคาร',
    installment: 'ผ่อนชำระ',
  },
  states: {
    created: 'เลือกวิธีชำระเงิน',
    requires_action: 'รอการชำระเงินของคุณ',
    processing: 'กำลังตรวจสอบการชำระเงิน',
    succeeded: 'ชำระเงินแล้ว ขอบคุณค่ะ',
    failed: 'การชำระเงินไม่สำเร็จ',
    expired: 'หมดเวลาชำระเงินแล้ว',
    canceled: 'รายการนี้ถูกยกเลิกแล้ว',
  },
  unavailable: {
    disabled: 'ลิงก์นี้เลิกใช้แล้ว',
    expired: 'ลิงก์นี้หมดอายุแล้ว',
    exhausted: 'ลิงก์นี้มีผู้ชำระครบจำนวนแล้ว',
  },
  paidLate: 'ชำระหลังหมดเวลา ร้านค้าทราบแล้วและจะติดต่อคุณ',
  payTo: 'รายการชำระเงิน',
  reference: 'หมายเลขอ้างอิง',
  chooseMethod: 'คุณต้องการชำระด้วยวิธีใด',
  scan: 'สแกนคิวอาร์โค้ดนี้ด้วยแอปธนาคารของคุณ',
  qrOf: (amount) => `คิวอาร์โค้ดพร้อมเพย์ จำนวน ${amount}`,
  redirect: (method) => `ไปชำระต่อใน ${method}`,
  transfer: 'โอนเงินให้ตรงตามจำนวน พร้อมระบุหมายเลขอ้างอิงนี้',
  bank: 'ธนาคาร',
  account: 'เลขที่บัญชี',
  accountName: 'ชื่อบัญชี',
  timeLeft: 'เวลาที่เหลือ',
  until: (time) => `ถึง ${time}`,
  back: 'กลับไปที่ร้านค้า',
  test: 'โหมดทดสอบ ไม่มีการเคลื่อนย้ายเงินจริง',
  testButtons: 'ให้เกิดอะไรขึ้น',
  actions: { pay: 'จ่าย', fail: 'จ่ายไม่สำเร็จ', mismatch: 'จ่ายผิดจำนวน', late: 'จ่ายช้า' },
  lateIsComing: 'จะมีการชำระหนึ่งวินาทีหลังหมดเวลา เลื่อนนาฬิกาไปข้างหน้า หรือรอ',
  amount: 'จำนวนเงิน (บาท)',
  amountBetween: (min, max) => [min && `อย่างน้อย ${min}`, max && `ไม่เกิน ${max}`].filter(Boolean).join(' '),
  name: 'ชื่อ',
  email: 'อีเมล',
  phone: 'โทรศัพท์',
  optional: 'ไม่บังคับ',
  continue: 'ไปชำระเงิน',
  tooMany: (seconds) => `ขณะนี้มีผู้ใช้ลิงก์นี้จำนวนมาก กรุณาลองใหม่ในอีก ${seconds} วินาที ข้อมูลที่คุณกรอกไว้ยังอยู่`,
  problemPages: {
    notFound: {
      title: 'ไม่พบรายการชำระเงินนี้',
      advice: 'ลิงก์อาจพิมพ์ผิด ไม่ครบ หรือหมดอายุแล้ว กรุณาตรวจสอบลิงก์อีกครั้ง หรือขอลิงก์ใหม่จากร้านค้า',
    },
    otherSite: {
      title: 'คำขอนี้ส่งมาจากเว็บไซต์อื่น',
      advice: 'เพื่อความปลอดภัย ระบบไม่ได้ทำรายการใด ๆ กรุณาเปิดหน้าชำระเงินโดยตรงแล้วทำรายการจากหน้านั้น',
    },
    tooLong: {
      title: 'ข้อมูลที่กรอกยาวเกินไป',
      advice: 'กรุณาย้อนกลับไปกรอกข้อมูลให้สั้นลง ระบบยังไม่ได้ทำรายการใด ๆ',
    },
    unreadable: {
      title: 'ไม่สามารถอ่านข้อมูลที่ส่งมาได้',
      advice: 'ระบบไม่ได้ทำรายการใด ๆ กรุณาเปิดหน้าชำระเงินแล้วลองใหม่อีกครั้ง',
    },
    busy: {
      title: 'กรุณารอสักครู่',
      advice: 'กรุณารอสักครู่แล้วลองใหม่อีกครั้ง ระบบจะไม่เรียกเก็บเงินซ้ำ',
    },
    broken: {
      title: 'ระบบขัดข้องชั่วคราว',
      advice: 'กรุณาลองใหม่อีกครั้งในอีกสักครู่ ระบบจะไม่เรียกเก็บเงินซ้ำ หากยังไม่สำเร็จ กรุณาแจ้งรหัสด้านล่างแก่ร้านค้า',
    },
  },
  requestId: 'รหัสสำหรับสอบถาม:',
  problems: {
    amount: 'กรอกจำนวนเงินในช่วงที่กำหนด เช่น 250 หรือ 250.50',
    required: 'จำเป็นต้องกรอก',
    email: 'กรอกอีเมล เช่น name@example.com',
    phone: 'กรอกหมายเลขโทรศัพท์ เช่น 0812345678 หรือ +66812345678',
    name: 'กรอกชื่อไม่เกิน 120 ตัวอักษร',
  },
};

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, th: TH };

export function textsOf(language: Language): Texts {
  return TEXTS[language];
}

/** `฿1,299.00` */
export function formatMoney({ currency, minor }: Money, language: Language): string {
  const format = new Intl.NumberFormat(language === 'th' ? 'th-TH' : 'en-TH', {
    style: 'currency',
    currency,
  });
  return format.format(minor / 100);
}

/** A time of the day in Thailand. */
export function formatTime(atMs: number, language: Language): string {
  const format = new Intl.DateTimeFormat(language === 'th' ? 'th-TH' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Bangkok',
  });
  return format.format(atMs);
}
