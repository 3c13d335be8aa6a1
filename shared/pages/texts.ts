import type { Money } from '../domain/money.ts';
import type { PaymentStatus } from '../domain/payment.ts';
import type { Unavailability } from '../domain/payment-link.ts';
import type { PaymentMethod, RedirectMethod } from '../domain/payment-method.ts';
import type { Language } from './language.ts';

interface ProblemText {
  readonly title: string;
  readonly advice: string;
}

/** The texts for failed requests of payers. */
export type ProblemTexts = Readonly<
  Record<'notFound' | 'otherSite' | 'tooLong' | 'unreadable' | 'busy' | 'broken', ProblemText>
>;

interface RedirectText {
  /** What the payer can do. */
  readonly doThis: string;
  /** The text of the link or button for it. */
  readonly goOn: string;
}

/** Why a payment failed: the most common result codes of providers. */
const FAILURES = ['declined', 'insufficient_funds', 'limit_exceeded', 'timeout', 'payer_canceled'] as const;
type FailureText = (typeof FAILURES)[number];

/** All texts that a payer reads. */
export interface Texts {
  readonly methods: Readonly<Record<PaymentMethod, string>>;
  readonly states: Readonly<Record<PaymentStatus, string>>;
  readonly failures: Readonly<Record<FailureText, string>>;
  readonly otherFailure: (code: string) => string;
  readonly unavailable: Readonly<Record<Unavailability, string>>;
  readonly unavailableAdvice: Readonly<Record<Unavailability, string>>;
  readonly paidAlready: string;
  readonly paidLate: string;
  readonly payee: string;
  readonly payTo: string;
  readonly reference: string;
  readonly chooseMethod: string;
  readonly scan: string;
  readonly qrOf: (amount: string) => string;
  readonly redirects: Readonly<Record<RedirectMethod, RedirectText>>;
  readonly otherMethod: string;
  readonly transfer: string;
  readonly bank: string;
  readonly account: string;
  readonly accountName: string;
  readonly timeLeft: string;
  readonly until: (time: string) => string;
  readonly back: string;
  readonly tryAgain: string;
  readonly tryAtShop: string;
  readonly askShop: string;
  readonly simulated: string;
  readonly confirm: string;
  readonly decline: string;
  readonly backToPayment: string;
  readonly test: string;
  /** Replaces it in live mode, if the provider account is in test mode. */
  readonly rehearsal: string;
  readonly testButtons: string;
  readonly actions: Readonly<Record<'pay' | 'fail' | 'mismatch' | 'late', string>>;
  readonly lateIsComing: string;
  readonly amount: string;
  readonly amountBetween: (min: string | null, max: string | null) => string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  /** Why the e-mail address is needed. */
  readonly emailWhy: string;
  /** What to do if it is wrong and cannot be corrected here. */
  readonly emailIsFixed: string;
  readonly correctEmail: string;
  readonly correctionBegins: string;
  readonly refundByEmail: string;
  readonly refundUnderWay: (amount: string) => string;
  readonly refunded: (amount: string) => string;
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
  failures: {
    declined: 'Your bank or wallet declined it.',
    insufficient_funds: 'There was not enough money in the account.',
    limit_exceeded: 'The amount is above a limit of your account.',
    timeout: 'Your bank or wallet did not answer in time.',
    payer_canceled: 'It was stopped before it was confirmed.',
  },
  otherFailure: (code) => `Your bank or wallet gave this reason: ${code}`,
  unavailable: {
    disabled: 'This link is not in use any more',
    expired: 'The time of this link is over',
    exhausted: 'Everything that this link was for has been paid',
  },
  unavailableAdvice: {
    disabled: 'Ask the shop for a new link.',
    expired: 'Ask the shop for a new link.',
    exhausted:
      'Somebody may be paying just now: what they leave is free again after a while. Or ask the shop.',
  },
  paidAlready: 'If you have just paid, do not pay again: the shop is told as soon as the money comes.',
  paidLate: 'It was paid after its time was over. The shop has been told.',
  payee: 'Pay to',
  payTo: 'Payment',
  reference: 'Reference',
  chooseMethod: 'How would you like to pay?',
  scan: 'Scan this code with the app of your bank.',
  qrOf: (amount) => `PromptPay QR code for ${amount}`,
  redirects: {
    truemoney: {
      doThis: 'Confirm the payment in TrueMoney Wallet.',
      goOn: 'Continue to TrueMoney Wallet',
    },
    linepay: { doThis: 'Confirm the payment in LINE Pay.', goOn: 'Continue to LINE Pay' },
    shopeepay: { doThis: 'Confirm the payment in ShopeePay.', goOn: 'Continue to ShopeePay' },
    direct_debit: {
      doThis: 'Allow your bank to take the amount from your account.',
      goOn: 'Continue to your bank',
    },
    installment: {
      doThis: 'Choose over how many months you pay, at your bank or card company.',
      goOn: 'Choose an instalment plan',
    },
  },
  otherMethod: 'Pay another way',
  transfer: 'Transfer exactly this amount, with this reference.',
  bank: 'Bank',
  account: 'Account number',
  accountName: 'Account name',
  timeLeft: 'Time left',
  until: (time) => `until ${time}`,
  back: 'Back to the shop',
  tryAgain: 'Try again',
  tryAtShop: 'To try again, go back to the shop.',
  askShop: 'To try again, ask the shop for a new payment.',
  simulated: 'A simulation. In live mode you are at your wallet or your bank here.',
  confirm: 'Confirm the payment',
  decline: 'Decline',
  backToPayment: 'Back to the payment',
  test: 'Test mode. No money moves.',
  rehearsal: 'Rehearsal. The provider is in its test mode: no money moves.',
  testButtons: 'Simulate what happens',
  actions: { pay: 'Pay', fail: 'Fail', mismatch: 'Pay the wrong amount', late: 'Pay late' },
  lateIsComing: 'It will be paid a second after its time is over. Move the clock, or wait.',
  amount: 'Amount in baht',
  amountBetween: (min, max) => [min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(', '),
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  emailWhy:
    'The payment provider needs it. If the shop ever pays you back, the provider writes there to ask where the money shall go.',
  emailIsFixed: 'If it is not yours, tell the shop before you pay.',
  correctEmail: 'Correct the e-mail address',
  correctionBegins: 'The payment then begins anew: pay only by what is shown after that.',
  refundByEmail:
    'If the shop ever pays you back, the payment provider will write to your e-mail address to ask where the money shall go.',
  refundUnderWay: (amount) =>
    `The shop pays ${amount} back to you. The payment provider will write to your e-mail address to ask where the money shall go.`,
  refunded: (amount) => `Paid back: ${amount}`,
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
    direct_debit: 'หักบัญชีอัตโนมัติ',
    installment: 'ผ่อนชำระ',
  },
  states: {
    created: 'เลือกวิธีชำระเงิน',
    requires_action: 'รอการชำระเงิน',
    processing: 'กำลังตรวจสอบการชำระเงิน',
    succeeded: 'ชำระเงินสำเร็จ ขอบคุณ',
    failed: 'ชำระเงินไม่สำเร็จ',
    expired: 'หมดเวลาชำระเงินแล้ว',
    canceled: 'รายการนี้ถูกยกเลิกแล้ว',
  },
  failures: {
    declined: 'ธนาคารหรือผู้ให้บริการวอลเล็ทของคุณปฏิเสธรายการนี้',
    insufficient_funds: 'ยอดเงินในบัญชีไม่เพียงพอ',
    limit_exceeded: 'จำนวนเงินเกินวงเงินของบัญชี',
    timeout: 'ธนาคารหรือผู้ให้บริการวอลเล็ทไม่ตอบกลับภายในเวลาที่กำหนด',
    payer_canceled: 'รายการถูกยกเลิกก่อนยืนยันการชำระเงิน',
  },
  otherFailure: (code) => `เหตุผลที่ได้รับจากธนาคารหรือผู้ให้บริการวอลเล็ท: ${code}`,
  unavailable: {
    disabled: 'ลิงก์นี้ถูกปิดใช้งานแล้ว',
    expired: 'ลิงก์นี้หมดอายุแล้ว',
    exhausted: 'ลิงก์นี้มีผู้ชำระเงินครบจำนวนแล้ว',
  },
  unavailableAdvice: {
    disabled: 'กรุณาขอลิงก์ใหม่จากร้านค้า',
    expired: 'กรุณาขอลิงก์ใหม่จากร้านค้า',
    exhausted: 'อาจมีผู้อื่นกำลังทำรายการอยู่ หากรายการนั้นไม่สำเร็จ คุณจะชำระเงินได้ภายหลัง หรือสอบถามร้านค้า',
  },
  paidAlready: 'หากคุณเพิ่งชำระเงินไปแล้ว กรุณาอย่าชำระซ้ำ ระบบจะแจ้งร้านค้าทันทีที่ได้รับเงิน',
  paidLate: 'ชำระเงินหลังหมดเวลาที่กำหนด ระบบได้แจ้งร้านค้าแล้ว',
  payee: 'ชำระเงินให้',
  payTo: 'รายการชำระเงิน',
  reference: 'หมายเลขอ้างอิง',
  chooseMethod: 'คุณต้องการชำระเงินด้วยวิธีใด',
  scan: 'สแกนคิวอาร์โค้ดนี้ด้วยแอปธนาคารของคุณ',
  qrOf: (amount) => `คิวอาร์โค้ดพร้อมเพย์ จำนวน ${amount}`,
  redirects: {
    truemoney: { doThis: 'ยืนยันการชำระเงินในทรูมันนี่ วอลเล็ท', goOn: 'ไปที่ทรูมันนี่ วอลเล็ท' },
    linepay: { doThis: 'ยืนยันการชำระเงินใน LINE Pay', goOn: 'ไปที่ LINE Pay' },
    shopeepay: { doThis: 'ยืนยันการชำระเงินใน ShopeePay', goOn: 'ไปที่ ShopeePay' },
    direct_debit: { doThis: 'ยืนยันการหักบัญชีอัตโนมัติกับธนาคารของคุณ', goOn: 'ไปที่ธนาคารของคุณ' },
    installment: {
      doThis: 'เลือกจำนวนเดือนที่ต้องการผ่อนชำระกับธนาคารหรือผู้ออกบัตรของคุณ',
      goOn: 'เลือกแผนผ่อนชำระ',
    },
  },
  otherMethod: 'เปลี่ยนวิธีชำระเงิน',
  transfer: 'กรุณาโอนเงินให้ตรงตามจำนวนนี้ และระบุหมายเลขอ้างอิงด้านล่าง',
  bank: 'ธนาคาร',
  account: 'เลขที่บัญชี',
  accountName: 'ชื่อบัญชี',
  timeLeft: 'เวลาที่เหลือ',
  until: (time) => `ภายใน ${time}\u00a0น.`,
  back: 'กลับไปที่ร้านค้า',
  tryAgain: 'ลองชำระเงินอีกครั้ง',
  tryAtShop: 'หากต้องการชำระเงินอีกครั้ง กรุณากลับไปที่ร้านค้า',
  askShop: 'หากต้องการชำระเงินอีกครั้ง กรุณาขอรายการชำระเงินใหม่จากร้านค้า',
  simulated: 'หน้าจำลองสำหรับทดสอบ ในโหมดใช้งานจริงจะเป็นแอปหรือเว็บไซต์ของธนาคารหรือผู้ให้บริการวอลเล็ท',
  confirm: 'ยืนยันการชำระเงิน',
  decline: 'ปฏิเสธรายการ',
  backToPayment: 'กลับไปหน้าชำระเงิน',
  test: 'โหมดทดสอบ ไม่มีการตัดเงินจริง',
  rehearsal: 'การซ้อมชำระเงิน ผู้ให้บริการชำระเงินอยู่ในโหมดทดสอบ ไม่มีการตัดเงินจริง',
  testButtons: 'จำลองผลการชำระเงิน',
  actions: {
    pay: 'ชำระเงิน',
    fail: 'ชำระเงินไม่สำเร็จ',
    mismatch: 'ชำระเงินผิดจำนวน',
    late: 'ชำระเงินหลังหมดเวลา',
  },
  lateIsComing: 'ระบบจะจำลองการชำระเงินหนึ่งวินาทีหลังหมดเวลา เลื่อนนาฬิกาไปข้างหน้า หรือรอจนถึงเวลานั้น',
  amount: 'จำนวนเงิน (บาท)',
  amountBetween: (min, max) => [min && `ขั้นต่ำ ${min}`, max && `ไม่เกิน ${max}`].filter(Boolean).join(' '),
  name: 'ชื่อ-นามสกุล',
  email: 'อีเมล',
  phone: 'เบอร์โทรศัพท์',
  emailWhy: 'ผู้ให้บริการชำระเงินต้องใช้อีเมลนี้ หากร้านค้าคืนเงินให้คุณ ผู้ให้บริการจะส่งอีเมลเพื่อสอบถามบัญชีที่จะรับเงินคืน',
  emailIsFixed: 'หากไม่ใช่อีเมลของคุณ กรุณาแจ้งร้านค้าก่อนชำระเงิน',
  correctEmail: 'แก้ไขอีเมล',
  correctionBegins: 'ระบบจะเริ่มการชำระเงินใหม่ กรุณาชำระตามข้อมูลที่แสดงหลังจากแก้ไขแล้วเท่านั้น',
  refundByEmail: 'หากร้านค้าคืนเงินให้คุณ ผู้ให้บริการชำระเงินจะส่งอีเมลถึงคุณเพื่อสอบถามบัญชีที่จะรับเงินคืน',
  refundUnderWay: (amount) =>
    `ร้านค้ากำลังคืนเงิน ${amount} ให้คุณ ผู้ให้บริการชำระเงินจะส่งอีเมลถึงคุณเพื่อสอบถามบัญชีที่จะรับเงินคืน`,
  refunded: (amount) => `คืนเงินแล้ว ${amount}`,
  optional: 'ไม่บังคับ',
  continue: 'ดำเนินการชำระเงิน',
  problems: {
    amount: 'กรุณากรอกจำนวนเงินในช่วงที่กำหนด เช่น 250 หรือ 250.50',
    required: 'กรุณากรอกข้อมูลนี้',
    email: 'กรุณากรอกอีเมลให้ถูกต้อง เช่น name@example.com',
    phone: 'กรุณากรอกเบอร์โทรศัพท์ให้ถูกต้อง เช่น 0812345678 หรือ +66812345678',
    name: 'กรุณากรอกชื่อไม่เกิน 120 ตัวอักษร',
  },
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
};

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, th: TH };

export function textsOf(language: Language): Texts {
  return TEXTS[language];
}

/** Why a payment failed, in plain words. An unknown code is shown as it is. */
export function failureText(code: string | undefined, texts: Texts): string | null {
  const known = FAILURES.find((failure) => failure === code);
  return code === undefined ? null : known === undefined ? texts.otherFailure(code) : texts.failures[known];
}

/** `฿1,299.00` */
export function formatMoney({ currency, minor }: Money, language: Language): string {
  const format = new Intl.NumberFormat(language === 'th' ? 'th-TH' : 'en-TH', {
    style: 'currency',
    currency,
  });
  return format.format(minor / 100);
}

/** A time of day in Thailand. */
export function formatTime(atMs: number, language: Language): string {
  const format = new Intl.DateTimeFormat(language === 'th' ? 'th-TH' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Bangkok',
  });
  return format.format(atMs);
}
