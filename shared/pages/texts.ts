import type { Language } from '../domain/language.ts';
import type { Money } from '../domain/money.ts';
import type { PaymentStatus } from '../domain/payment.ts';
import type { Unavailability } from '../domain/payment-link.ts';
import type { PaymentMethod, RedirectMethod } from '../domain/payment-method.ts';

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
  otherFailure: (code: string) =>
    `Your bank or wallet did not approve the payment (code ${code}). Please try another way.`,
  unavailable: {
    disabled: 'This link is no longer active',
    expired: 'This link has expired',
    exhausted: 'This link has received all of its payments',
    reserved: 'This link is in use by a payment that is not paid yet',
  } satisfies Record<Unavailability, string>,
  unavailableAdvice: {
    disabled: 'Please ask the shop for a new link.',
    expired: 'Please ask the shop for a new link.',
    exhausted: 'Please ask the shop for a new link.',
    reserved: (time: string) =>
      `If you have started this payment, please go back to its page. Otherwise, please come back after ${time}: if the payment is not paid by then, this link works again.`,
  } satisfies Record<Unavailability, string | ((time: string) => string)>,
  paidAlready:
    'If you have just paid, please do not pay again. The shop is notified as soon as the payment arrives.',
  paidLate:
    'The money has arrived, but after the time was over. If you get no confirmation, please contact the shop.',
  processing: 'Please do not pay again.',
  updatesItself: 'This page updates itself.',
  reload: 'Reload this page to see the result.',
  /** Money that came and was not the amount asked for. */
  mismatch: {
    state: 'The amount received is not the amount asked for',
    advice: (shop: string) =>
      `Please do not pay again. Contact ${shop} and give the payment code: the shop decides what happens next.`,
    received: 'Received',
    asked: 'Asked for',
  },
  paidAt: 'Paid on',
  time: (time: string) => time,
  paidBy: 'Paid by',
  payee: 'Pay to',
  payTo: 'Payment',
  /** The number that names the payment on its page, in a transfer and to the shop. */
  code: 'Payment code',
  /** The merchant's own reference. */
  shopReference: 'Shop reference',
  language: 'Language',
  payWith: (method: string) => `Pay with ${method}`,
  scan: 'Scan this QR code with your banking app.',
  thaiQr: 'Thai QR Payment',
  saveQr: 'Save the QR picture',
  samePhone: 'Paying on this phone',
  saveSteps: [
    'Save the QR picture.',
    'Open your bank’s app and choose Scan.',
    'Choose the saved picture from your photos.',
  ],
  inLine: 'You are in LINE, where saving may not work.',
  openOutside: 'Open in your browser',
  copy: (what: string) => `Copy: ${what}`,
  copyShort: 'Copy',
  copied: 'Copied',
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
  /** The payer has chosen as often as one may. */
  noChoiceLeft: (most: number) => `You can choose how to pay at most ${most} times for one payment.`,
  payAsChosen: 'You can still pay in the way that is shown here.',
  transfer: 'Transfer exactly this amount.',
  transferNote: 'Put the payment code into the note of the transfer.',
  transferAmount: 'Amount',
  bank: 'Bank',
  account: 'Account number',
  accountName: 'Account name',
  timeLeft: 'Time left',
  /** After minutes and seconds. */
  minutesUnit: '',
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
  refundUnderWay: (amount: string) => `The shop is refunding ${amount} to you.`,
  refundUnderWayByEmail: (amount: string) =>
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
  requestId: 'Error code:',
  /** Each names its field and what the field takes. */
  problems: {
    amount: (_label: string, bounds: string) => `Enter an amount of ${bounds}, with digits as in 250.50.`,
    required: (label: string) => `${label} is required.`,
    email: () => 'Enter an email address of at most 254 characters, such as name@example.com.',
    phone: () => 'Enter a phone number of 9 to 15 digits, such as 081-234-5678 or +66 81 234 5678.',
    name: () => 'Enter a name of at most 120 characters.',
  } satisfies Record<string, (label: string, bounds: string) => string>,
};

export type Texts = typeof EN;
export type ProblemName = keyof Texts['problems'];

/** U+2060 keeps the word for shop in one line: browsers know it as two words. */
const TH: Texts = {
  methods: {
    promptpay: 'พร้อมเพย์',
    truemoney: 'ทรูมันนี่ วอลเล็ท',
    linepay: 'LINE Pay',
    shopeepay: 'ShopeePay',
    bank_transfer: 'โอนเงินผ่านธนาคาร',
    direct_debit: 'หักบัญชีธนาคาร (Direct Debit)',
    installment: 'ผ่อนชำระ',
  },
  states: {
    created: 'เลือกวิธีชำระเงิน',
    requires_action: 'รอการชำระเงิน',
    processing: 'กำลังยืนยันการชำระเงินของคุณ',
    succeeded: 'ชำระเงินสำเร็จ ขอบคุณที่ใช้บริการ',
    failed: 'ชำระเงินไม่สำเร็จ',
    expired: 'รายการชำระเงินนี้หมดอายุแล้ว',
    canceled: 'รายการนี้ถูกยกเลิกแล้ว',
  },
  failures: {
    declined: 'ธนาคารหรือแอปวอลเล็ตของคุณไม่อนุมัติรายการนี้',
    insufficient_funds: 'ยอดเงินในบัญชีไม่เพียงพอ',
    limit_exceeded: 'ยอดชำระเกินวงเงินที่บัญชีทำรายการได้',
    timeout: 'ธนาคารหรือแอปวอลเล็ตไม่ตอบกลับภายในเวลาที่กำหนด',
    payer_canceled: 'รายการถูกยกเลิกก่อนยืนยันการชำระเงิน',
  },
  otherFailure: (code) => `ธนาคารไม่อนุมัติรายการ (รหัส ${code}) กรุณาลองวิธีอื่น`,
  unavailable: {
    disabled: 'ลิงก์นี้ถูกปิดใช้งานแล้ว',
    expired: 'ลิงก์นี้หมดอายุแล้ว',
    exhausted: 'ลิงก์นี้มีผู้ชำระเงินครบจำนวนแล้ว',
    reserved: 'ลิงก์นี้ถูกใช้อยู่โดยรายการที่ยังไม่ได้ชำระเงิน',
  },
  unavailableAdvice: {
    disabled: 'กรุณาขอลิงก์ใหม่จากร้าน\u2060ค้า',
    expired: 'กรุณาขอลิงก์ใหม่จากร้าน\u2060ค้า',
    exhausted: 'กรุณาขอลิงก์ใหม่จากร้าน\u2060ค้า',
    reserved: (time) =>
      `หากคุณเป็นผู้เริ่มรายการนี้ กรุณากลับไปที่หน้าชำระเงินเดิม หากไม่ใช่ กรุณากลับมาใหม่หลัง ${time} หากยังไม่มีการชำระเงิน ลิงก์นี้จะใช้ได้อีก`,
  },
  paidAlready: 'หากคุณเพิ่งชำระเงินไปแล้ว กรุณาอย่าชำระซ้ำ ระบบจะแจ้งร้าน\u2060ค้าทันทีที่ได้รับเงิน',
  paidLate: 'ได้รับเงินแล้ว แต่หลังหมดเวลา หากยังไม่มีการยืนยัน กรุณาติดต่อร้าน\u2060ค้า',
  processing: 'กรุณาอย่าชำระซ้ำ',
  updatesItself: 'หน้านี้จะอัปเดตเอง',
  reload: 'โหลดหน้านี้ใหม่เพื่อดูผล',
  mismatch: {
    state: 'ยอดเงินที่ได้รับไม่ตรงกับยอดที่ต้องชำระ',
    advice: (shop) => `กรุณาอย่าชำระซ้ำ ติดต่อ ${shop} และแจ้งรหัสอ้างอิง เพื่อให้ร้าน\u2060ค้าดำเนินการต่อ`,
    received: 'ยอดที่ได้รับ',
    asked: 'ยอดที่ต้องชำระ',
  },
  paidAt: 'ชำระเมื่อ',
  time: (time) => `${time}\u00a0น.`,
  paidBy: 'ชำระด้วย',
  payee: 'ชำระเงินให้',
  payTo: 'รายการชำระเงิน',
  code: 'รหัสอ้างอิง',
  shopReference: 'เลขอ้างอิงของร้าน\u2060ค้า',
  language: 'ภาษา',
  payWith: (method) => `ชำระด้วย${/^[A-Z]/.test(method) ? ' ' : ''}${method}`,
  scan: 'สแกนคิวอาร์โค้ดนี้ด้วยแอปธนาคารของคุณ',
  thaiQr: 'ชำระเงินด้วย Thai QR',
  saveQr: 'บันทึกรูป QR',
  samePhone: 'ชำระเงินด้วยโทรศัพท์เครื่องนี้',
  saveSteps: ['บันทึกรูป QR', 'เปิดแอปธนาคารของคุณ แล้วเลือกสแกน', 'เลือกรูป QR ที่บันทึกไว้จากอัลบั้มรูป'],
  inLine: 'คุณกำลังเปิดหน้านี้ใน LINE ซึ่งอาจบันทึกรูปไม่ได้',
  openOutside: 'เปิดในเบราว์เซอร์',
  copy: (what) => `คัดลอก ${what}`,
  copyShort: 'คัดลอก',
  copied: 'คัดลอกแล้ว',
  qrOf: (amount) => `คิวอาร์โค้ดพร้อมเพย์ จำนวน ${amount}`,
  redirects: {
    truemoney: { doThis: 'ยืนยันการชำระเงินในทรูมันนี่ วอลเล็ท', goOn: 'ไปที่ทรูมันนี่ วอลเล็ท' },
    linepay: { doThis: 'ยืนยันการชำระเงินใน LINE Pay', goOn: 'ไปที่ LINE Pay' },
    shopeepay: { doThis: 'ยืนยันการชำระเงินใน ShopeePay', goOn: 'ไปที่ ShopeePay' },
    direct_debit: { doThis: 'ยืนยันการหักบัญชีกับธนาคารของคุณ', goOn: 'ไปที่ธนาคารของคุณ' },
    installment: {
      doThis: 'เลือกจำนวนเดือนที่ต้องการผ่อนชำระกับธนาคารหรือผู้ออกบัตรของคุณ',
      goOn: 'เลือกแผนผ่อนชำระ',
    },
  },
  otherMethod: 'เปลี่ยนวิธีชำระเงิน',
  noChoiceLeft: (most) => `เลือกวิธีชำระเงินได้ไม่เกิน ${most} ครั้งต่อหนึ่งรายการ`,
  payAsChosen: 'คุณยังชำระเงินด้วยวิธีที่แสดงอยู่นี้ได้',
  transfer: 'กรุณาโอนเงินให้ตรงตามจำนวนนี้',
  transferNote: 'ใส่รหัสนี้ในช่องบันทึกช่วยจำ',
  transferAmount: 'จำนวนเงิน',
  bank: 'ธนาคาร',
  account: 'เลขที่บัญชี',
  accountName: 'ชื่อบัญชี',
  timeLeft: 'เหลือเวลา',
  minutesUnit: '\u00a0นาที',
  until: (time) => `ชำระได้ถึง ${time}\u00a0น.`,
  back: 'กลับไปที่ร้าน\u2060ค้า',
  tryAgain: 'ลองชำระเงินอีกครั้ง',
  tryAtShop: 'หากต้องการชำระเงินอีกครั้ง กรุณากลับไปที่ร้าน\u2060ค้า',
  askShop: 'หากต้องการชำระเงินอีกครั้ง กรุณาขอรายการชำระเงินใหม่จากร้าน\u2060ค้า',
  simulated: 'หน้าจำลองสำหรับทดสอบ ในโหมดใช้งานจริงจะเป็นแอปธนาคาร เว็บไซต์ธนาคาร หรือแอปวอลเล็ต',
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
  emailWhy: 'ผู้ให้บริการชำระเงินต้องใช้อีเมลนี้ หากร้าน\u2060ค้าคืนเงินให้คุณ ผู้ให้บริการจะส่งอีเมลถึงคุณเพื่อขอเลขบัญชีรับเงินคืน',
  emailIsFixed: 'หากไม่ใช่อีเมลของคุณ กรุณาแจ้งร้าน\u2060ค้าก่อนชำระเงิน',
  correctEmail: 'แก้ไขอีเมล',
  correctionBegins: 'ระบบจะเริ่มการชำระเงินใหม่ กรุณาชำระตามข้อมูลที่แสดงหลังจากแก้ไขแล้วเท่านั้น',
  refundByEmail: 'หากร้าน\u2060ค้าคืนเงินให้คุณ ผู้ให้บริการชำระเงินจะส่งอีเมลถึงคุณเพื่อขอเลขบัญชีรับเงินคืน',
  refundUnderWay: (amount) => `ร้าน\u2060ค้ากำลังคืนเงิน ${amount} ให้คุณ`,
  refundUnderWayByEmail: (amount) =>
    `ร้าน\u2060ค้ากำลังคืนเงิน ${amount} ให้คุณ ผู้ให้บริการชำระเงินจะส่งอีเมลถึงคุณเพื่อขอเลขบัญชีรับเงินคืน`,
  refunded: (amount) => `คืนเงินแล้ว ${amount}`,
  optional: 'ไม่บังคับ',
  continue: 'ดำเนินการชำระเงิน',
  problems: {
    amount: (_label, bounds) => `กรุณากรอกจำนวนเงิน ${bounds} เป็นตัวเลข เช่น 250.50`,
    required: (label) => `กรุณากรอก${label}`,
    email: () => 'กรุณากรอกอีเมลให้ถูกต้อง ไม่เกิน 254 ตัวอักษร เช่น name@example.com',
    phone: () => 'กรุณากรอกเบอร์โทรศัพท์ 9 ถึง 15 หลัก เช่น 081-234-5678 หรือ +66 81 234 5678',
    name: () => 'กรุณากรอกชื่อ-นามสกุลไม่เกิน 120 ตัวอักษร',
  },
  tooMany: (seconds) => `ขณะนี้มีผู้ใช้ลิงก์นี้จำนวนมาก กรุณาลองใหม่ในอีก ${seconds} วินาที ข้อมูลที่คุณกรอกไว้ยังอยู่`,
  problemPages: {
    notFound: {
      title: 'ไม่พบรายการชำระเงินนี้',
      advice: 'ลิงก์อาจไม่ถูกต้อง ไม่ครบ หรือหมดอายุแล้ว กรุณาตรวจสอบลิงก์อีกครั้ง หรือขอลิงก์ใหม่จากร้าน\u2060ค้า',
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
      advice: 'กรุณาลองใหม่อีกครั้งในอีกสักครู่ ระบบจะไม่เรียกเก็บเงินซ้ำ หากยังไม่สำเร็จ กรุณาแจ้งรหัสด้านล่างแก่ร้าน\u2060ค้า',
    },
  },
  requestId: 'รหัสข้อผิดพลาด:',
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

/** `฿1,299.00`, in both languages, as prices are written in Thailand. */
export function formatMoney({ currency, minor }: Money, language: Language): string {
  const format = new Intl.NumberFormat(language === 'th' ? 'th-TH' : 'en-TH', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
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
