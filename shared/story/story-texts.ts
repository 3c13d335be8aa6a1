import { inLanguage } from './language.ts';

const EN = {
  /**
   * What has happened, by the kind of resource and the word of its event. A step that is not here is told by the word
   * of its status alone.
   */
  steps: {
    payment: {
      created: 'Payment created',
      processing: 'Payment processing',
      failed: 'Payment failed',
      expired: 'Payment expired',
      canceled: 'Payment canceled',
    },
    refund: {
      requested: 'Refund requested',
      approved: 'Refund approved',
      rejected: 'Refund rejected',
      processing: 'Refund on its way',
      failed: 'Refund failed',
      canceled: 'Refund canceled',
    },
    paymentLink: {
      active: 'Payment link active',
      created: 'Payment link created',
      disabled: 'Payment link disabled',
      overpaid: 'Payment link overpaid',
    },
    settlement: { matched: 'Settlement matched' },
    payout: { failed: 'Payout failed', returned: 'Payout returned' },
  },
  /** What is said of a step beside its title. */
  notes: {
    resultCode: (code: string) => `Result code ${code}`,
    otherAmount: (received: string, asked: string) => `${received} came instead of ${asked}`,
    afterExpiry: 'The money came after the expiry',
    afterCancellation: 'The money came after the cancellation',
    /** @param numbers of the payment and the refunds that a settlement took */
    settled: (numbers: readonly string[], total: string) => `${numbers.join(' and ')} in it, ${total} in all`,
    returnReason: (reason: string) => `Return reason ${reason}`,
  },
  /** Why a payment needs somebody. */
  needs: {
    lateAfterExpiry: (length: string) => `Paid ${length} after it expired: check the order.`,
    lateAfterCancellation: (length: string) => `Paid ${length} after it was canceled: check the order.`,
    mismatch: (received: string, asked: string) => `${received} came instead of ${asked}: ask the payer.`,
  },
  /** What will happen next. */
  ahead: {
    paymentExpires: 'Payment expires',
    linkExpires: 'Payment link expires',
    attempt: (nth: number, eventType: string) => `Attempt ${nth} to deliver ${eventType}`,
    refundApproved: (number: string) => `Refund ${number} is approved`,
    refundSent: (number: string) => `Refund ${number} is sent to the provider`,
  },
  /** What can be done now. */
  actions: {
    succeed: 'Succeed',
    fail: 'Fail',
    hold: 'Pending',
    payOtherAmount: 'Pay another amount',
    payLate: 'Pay late',
    cancel: 'Cancel',
    refund: 'Refund',
    markHandled: 'Mark as handled',
    disable: 'Disable',
  },
  /** What is reported when it is done. */
  done: {
    reported: 'The provider has reported it.',
    paymentCanceled: 'The payment is canceled.',
    refundCanceled: 'The refund is canceled.',
    refundRequested: 'The refund is requested.',
    markedHandled: 'It is marked as handled.',
    linkDisabled: 'The link is disabled.',
  },
};

const TH: typeof EN = {
  steps: {
    payment: {
      created: 'สร้างรายการชำระเงินแล้ว',
      processing: 'กำลังดำเนินการชำระเงิน',
      failed: 'ชำระเงินไม่สำเร็จ',
      expired: 'รายการชำระเงินหมดเวลา',
      canceled: 'ยกเลิกรายการชำระเงินแล้ว',
    },
    refund: {
      requested: 'ขอคืนเงินแล้ว',
      approved: 'อนุมัติการคืนเงินแล้ว',
      rejected: 'ไม่อนุมัติการคืนเงิน',
      processing: 'กำลังคืนเงิน',
      failed: 'คืนเงินไม่สำเร็จ',
      canceled: 'ยกเลิกการคืนเงินแล้ว',
    },
    paymentLink: {
      active: 'ลิงก์ชำระเงินใช้งานได้',
      created: 'สร้างลิงก์ชำระเงินแล้ว',
      disabled: 'ปิดใช้งานลิงก์ชำระเงินแล้ว',
      overpaid: 'ลิงก์ชำระเงินได้รับเงินเกินจำนวนครั้ง',
    },
    settlement: { matched: 'สรุปยอดแล้ว ยอดตรง' },
    payout: { failed: 'โอนเงินเข้าบัญชีไม่สำเร็จ', returned: 'เงินโอนถูกตีกลับ' },
  },
  notes: {
    resultCode: (code) => `รหัสผลลัพธ์ ${code}`,
    otherAmount: (received, asked) => `ได้รับเงิน ${received} ไม่ตรงกับยอด ${asked}`,
    afterExpiry: 'ได้รับเงินหลังหมดเวลา',
    afterCancellation: 'ได้รับเงินหลังยกเลิกรายการ',
    settled: (numbers, total) => `มี ${numbers.join(' และ ')} ยอดรวม ${total}`,
    returnReason: (reason) => `เหตุผลที่ตีกลับ ${reason}`,
  },
  needs: {
    lateAfterExpiry: (length) => `ชำระหลังหมดเวลา ${length} กรุณาตรวจสอบคำสั่งซื้อ`,
    lateAfterCancellation: (length) => `ชำระหลังยกเลิก ${length} กรุณาตรวจสอบคำสั่งซื้อ`,
    mismatch: (received, asked) => `ได้รับ ${received} แทน ${asked} กรุณาสอบถามผู้ชำระเงิน`,
  },
  ahead: {
    paymentExpires: 'รายการชำระเงินหมดเวลา',
    linkExpires: 'ลิงก์ชำระเงินหมดอายุ',
    attempt: (nth, eventType) => `ส่ง ${eventType} ครั้งที่ ${nth}`,
    refundApproved: (number) => `อนุมัติการคืนเงิน ${number}`,
    refundSent: (number) => `ส่งการคืนเงิน ${number} ให้ผู้ให้บริการ`,
  },
  actions: {
    succeed: 'สำเร็จ',
    fail: 'ไม่สำเร็จ',
    hold: 'รอดำเนินการ',
    payOtherAmount: 'ชำระผิดจำนวน',
    payLate: 'ชำระหลังหมดเวลา',
    cancel: 'ยกเลิก',
    refund: 'คืนเงิน',
    markHandled: 'บันทึกว่าจัดการแล้ว',
    disable: 'ปิดใช้งาน',
  },
  done: {
    reported: 'ผู้ให้บริการแจ้งผลแล้ว',
    paymentCanceled: 'ยกเลิกรายการชำระเงินแล้ว',
    refundCanceled: 'ยกเลิกการคืนเงินแล้ว',
    refundRequested: 'ขอคืนเงินแล้ว',
    markedHandled: 'บันทึกเรียบร้อยแล้ว',
    linkDisabled: 'ปิดใช้งานลิงก์แล้ว',
  },
};

/** What a story says of its steps, of what can be done now, and of what will happen. */
export const storyTexts = inLanguage({ en: EN, th: TH });
