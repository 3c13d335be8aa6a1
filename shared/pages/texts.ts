import type { Money } from '../domain/money.ts';
import type { PaymentStatus } from '../domain/payment.ts';
import type { Unavailability } from '../domain/payment-link.ts';
import type { PaymentMethod, RedirectMethod } from '../domain/payment-method.ts';
import type { Language } from './language.ts';

/** All texts that a payer reads. */
const EN = {
  methods: {
    promptpay: 'PromptPay',
    truemoney: 'TrueMoney Wallet',
    linepay: 'LINE Pay',
    shopeepay: 'ShopeePay',
    bank_transfer: 'Bank transfer',
    direct_debit: 'Direct debit',
    installment: 'Instalments',
  } satisfies Record<PaymentMethod, string>,
  states: {
    created: 'Choose how to pay',
    requires_action: 'Waiting for your payment',
    processing: 'Confirming your payment',
    succeeded: 'Payment successful. Thank you!',
    failed: 'Payment failed',
    expired: 'This payment has expired',
    canceled: 'This payment was canceled',
  } satisfies Record<PaymentStatus, string>,
  /** Why a payment failed: the most common result codes of providers. */
  failures: {
    declined: 'Your bank or wallet declined the payment.',
    insufficient_funds: 'Your account has insufficient funds.',
    limit_exceeded: 'The amount exceeds a limit of your account.',
    timeout: 'Your bank or wallet did not respond in time.',
    payer_canceled: 'The payment was canceled before it was confirmed.',
  },
  otherFailure: (code: string) => `Reason from your bank or wallet: ${code}`,
  unavailable: {
    disabled: 'This link is no longer active',
    expired: 'This link has expired',
    exhausted: 'This link has received all of its payments',
  } satisfies Record<Unavailability, string>,
  unavailableAdvice: {
    disabled: 'Please ask the shop for a new link.',
    expired: 'Please ask the shop for a new link.',
    exhausted:
      'Another customer may be paying now. If they do not complete the payment, you can pay later. You can also ask the shop.',
  } satisfies Record<Unavailability, string>,
  paidAlready:
    'If you have just paid, please do not pay again. The shop is notified as soon as the payment arrives.',
  paidLate: 'This was paid after it had expired. The shop has been notified.',
  payee: 'Pay to',
  payTo: 'Payment',
  reference: 'Reference',
  chooseMethod: 'How would you like to pay?',
  scan: 'Scan this QR code with your banking app.',
  qrOf: (amount: string) => `PromptPay QR code for ${amount}`,
  /** What the payer can do, and the text of the link or button for it. */
  redirects: {
    truemoney: {
      doThis: 'Confirm the payment in TrueMoney Wallet.',
      goOn: 'Continue to TrueMoney Wallet',
    },
    linepay: { doThis: 'Confirm the payment in LINE Pay.', goOn: 'Continue to LINE Pay' },
    shopeepay: { doThis: 'Confirm the payment in ShopeePay.', goOn: 'Continue to ShopeePay' },
    direct_debit: {
      doThis: 'Authorize the direct debit at your bank.',
      goOn: 'Continue to your bank',
    },
    installment: {
      doThis: 'Choose a monthly plan at your bank or card issuer.',
      goOn: 'Choose an instalment plan',
    },
  } satisfies Record<RedirectMethod, unknown>,
  otherMethod: 'Pay another way',
  transfer: 'Transfer exactly this amount, and include this reference.',
  bank: 'Bank',
  account: 'Account number',
  accountName: 'Account name',
  timeLeft: 'Time left',
  until: (time: string) => `until ${time}`,
  back: 'Back to the shop',
  tryAgain: 'Try again',
  tryAtShop: 'To try again, please return to the shop.',
  askShop: 'To try again, please ask the shop for a new payment.',
  simulated: 'This is a simulation. In live mode, your wallet or bank opens here.',
  confirm: 'Confirm the payment',
  decline: 'Decline',
  backToPayment: 'Back to the payment',
  test: 'Test mode. No money moves.',
  /** Replaces it in live mode, if the provider account is in test mode. */
  rehearsal: 'Rehearsal. The payment provider is in test mode. No money moves.',
  testButtons: 'Simulate an outcome',
  actions: { pay: 'Pay', fail: 'Fail', mismatch: 'Pay the wrong amount', late: 'Pay late' },
  lateIsComing: 'The payment arrives one second after it expires. Advance the clock, or wait.',
  amount: 'Amount in baht',
  amountBetween: (min: string | null, max: string | null) =>
    [min && `at least ${min}`, max && `at most ${max}`].filter(Boolean).join(', '),
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  /** Why the email address is needed. */
  emailWhy:
    'The payment provider needs your email address. If the shop refunds you, the provider will email you to ask which account should receive the money.',
  /** What to do if it is wrong and cannot be corrected here. */
  emailIsFixed: 'If this is not your email address, please tell the shop before you pay.',
  correctEmail: 'Correct your email address',
  correctionBegins: 'This starts a new payment. Please pay only with the details shown after that.',
  refundByEmail:
    'If the shop refunds you, the payment provider will email you to ask which account should receive the money.',
  refundUnderWay: (amount: string) =>
    `The shop is refunding ${amount} to you. The payment provider will email you to ask which account should receive the money.`,
  refunded: (amount: string) => `Refunded: ${amount}`,
  optional: 'optional',
  continue: 'Continue to payment',
  tooMany: (seconds: number) =>
    `Many people are using this link right now. Please try again in ${seconds} seconds. Your details are kept.`,
  /** The texts for failed requests of payers. */
  problemPages: {
    notFound: {
      title: 'Payment not found',
      advice:
        'The link may be incorrect, incomplete or expired. Please check the link, or ask the shop for a new one.',
    },
    otherSite: {
      title: 'This request came from another site',
      advice:
        'For your security, nothing was processed. Please open the payment page and continue from there.',
    },
    tooLong: {
      title: 'The text is too long',
      advice: 'Nothing was processed. Please go back and shorten what you entered.',
    },
    unreadable: {
      title: 'This request cannot be read',
      advice: 'Nothing was processed. Please open the payment page and try again.',
    },
    busy: {
      title: 'One moment, please',
      advice: 'Please wait a few seconds and try again. You will not be charged twice.',
    },
    broken: {
      title: 'Something went wrong on our side',
      advice:
        'Please try again in a moment. You will not be charged twice. If the problem continues, please give the shop the code below.',
    },
  },
  requestId: 'Reference code:',
  problems: {
    amount: 'Enter an amount within the limits, such as 250 or 250.50.',
    required: 'This field is required.',
    email: 'Enter an email address, such as name@example.com.',
    phone: 'Enter a phone number, such as 0812345678 or +66812345678.',
    name: 'Enter a name of at most 120 characters.',
  },
};

export type Texts = typeof EN;

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
    processing: 'กำลังยืนยันการชำระเงินของคุณ',
    succeeded: 'ชำระเงินสำเร็จ ขอบคุณ',
    failed: 'ชำระเงินไม่สำเร็จ',
    expired: 'รายการชำระเงินนี้หมดอายุแล้ว',
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
  paidLate: 'มีการชำระเงินหลังจากรายการหมดอายุ ระบบได้แจ้งร้านค้าแล้ว',
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
  requestId: 'รหัสอ้างอิง:',
};

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, th: TH };

export function textsOf(language: Language): Texts {
  return TEXTS[language];
}

/** Why a payment failed, in plain words. An unknown code is shown as it is. */
export function failureText(code: string | undefined, texts: Texts): string | null {
  const known = new Map(Object.entries(texts.failures));
  return code === undefined ? null : (known.get(code) ?? texts.otherFailure(code));
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
