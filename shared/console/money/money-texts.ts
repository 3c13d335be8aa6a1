import { inLanguage } from '../../story/language.ts';

/** What was paid on a day. */
interface PaidSum {
  readonly amount: string;
  readonly count: number;
}

const EN = {
  home: {
    title: 'Home',
    newest: 'Newest payments',
  },
  needs: {
    title: 'Needs attention',
    settlements: (count: number, difference: string) =>
      `${count} ${count === 1 ? 'settlement does' : 'settlements do'} not match: ${difference} between what was expected and what was stated.`,
    showSettlements: 'Show them',
    markHandled: 'Mark as handled',
    markedHandled: 'It is marked as handled.',
    endpointDisabled: (url: string) => `${url} is disabled: it failed.`,
    enableEndpoint: 'Enable it',
    endpointEnabled: 'The endpoint is enabled and receives events from now on.',
    endpointFails: (url: string) => `${url} fails.`,
    sendTestEvent: 'Send a test event',
    testEventSent: 'A test event was sent. Its attempt is in the log of the endpoint.',
    jobsFailed: (count: number) =>
      `${count} ${count === 1 ? 'job' : 'jobs'} failed for good. Operators list them: pg admin jobs`,
    seeEvents: 'See what happened',
    refundsWait: (count: number) => `${count} ${count === 1 ? 'refund waits' : 'refunds wait'} for approval.`,
    showRefunds: (count: number) => `Show ${count === 1 ? 'it' : 'them'}`,
    approveRefunds: (count: number) => `Advance the clock and approve ${count === 1 ? 'it' : 'them'}`,
    clockMoved: 'The clock was moved.',
  },
  emptyWorld: {
    title: 'No payments yet',
    begin: 'Create the first one from its form.',
    seed: 'Fill this test world with a month of payments, refunds and payouts.',
    seedMonth: 'Seed a month',
    monthSeeded: 'A month of payments is there.',
  },
  money: {
    title: 'Money',
    empty: 'No money has come in yet.',
  },
  balance: {
    unsettled: 'Unsettled',
    pending: 'On its way',
    paidOut: 'Paid out',
    pendingPayouts: 'Pending payouts',
    paidPayouts: 'Paid payouts',
    succeededPayments: 'Succeeded payments',
    succeededSince: (settlement: string) => `Succeeded payments created since settlement ${settlement}`,
  },
  settlement: {
    content: 'Content',
    tookNothing: 'Nothing is paid out: this money goes into the next settlement.',
    statesLess: (difference: string) => `Provider states ${difference} less.`,
    statesMore: (difference: string) => `Provider states ${difference} more.`,
    tookAll: (expected: string) => `It took these, ${expected} in all.`,
    tookSome: (total: string, expected: string) =>
      `It took these, ${total} of ${expected}; the rest was not found among the newest.`,
    payments: 'Payments',
    refunds: 'Less refunds',
    payouts: 'Payouts that came back',
    partTitle: (title: string, count: number) => `${title} (${count})`,
  },
  payout: {
    title: (count: number) =>
      count === 1 ? 'The settlement that it pays out' : `The ${count} settlements that it pays out`,
    settlements: 'Settlements',
  },
  month: {
    title: (days: number) => `The last ${days} days`,
    period: 'Period',
    days: (days: number) => `${days} days`,
    sums: (paid: PaidSum, refunded: PaidSum) =>
      `Paid ${paid.amount} of ${paid.count}${refunded.count === 0 ? '' : `; refunded ${refunded.amount} of ${refunded.count}`}`,
    nothing: (days: number) => `Nothing was paid in the last ${days} days.`,
    today: (today: PaidSum, yesterday: PaidSum, change: string | null) =>
      `Today ${today.amount} of ${today.count}; yesterday ${yesterday.amount} of ${yesterday.count}${change === null ? '' : `, ${change}`}`,
    refundedLegend: 'refunded',
    dayPaid: (date: string, count: number, amount: string) => `${date}: ${count} paid, ${amount}`,
    dayByMethod: (method: string, count: number) => `${count} ${method}`,
    dayRefunded: (count: number, amount: string) => `${count} refunded, ${amount}`,
    asTable: 'As a table',
    tableTitle: 'Paid and refunded by day',
    day: 'Day',
    paid: 'Paid',
    refunded: 'Refunded',
  },
};

const TH: typeof EN = {
  home: {
    title: 'หน้าหลัก',
    newest: 'รายการชำระเงินล่าสุด',
  },
  needs: {
    title: 'รายการที่ต้องดำเนินการ',
    settlements: (count, difference) => `ยอดไม่ตรง ${count} รายการ ต่างจากที่คาดไว้รวม ${difference}`,
    showSettlements: 'ดูรายการ',
    markHandled: 'บันทึกว่าจัดการแล้ว',
    markedHandled: 'บันทึกเรียบร้อยแล้ว',
    endpointDisabled: (url) => `${url} ถูกปิดใช้งาน เพราะส่งไม่สำเร็จ`,
    enableEndpoint: 'เปิดใช้งาน',
    endpointEnabled: 'เปิดใช้งานปลายทางแล้ว ปลายทางจะได้รับเหตุการณ์ตั้งแต่นี้ไป',
    endpointFails: (url) => `การส่งไปที่ ${url} ไม่สำเร็จ`,
    sendTestEvent: 'ส่งเหตุการณ์ทดสอบ',
    testEventSent: 'ส่งเหตุการณ์ทดสอบแล้ว ดูผลได้ในบันทึกการส่งของปลายทาง',
    jobsFailed: (count) => `งานเบื้องหลัง ${count} งานไม่สำเร็จและจะไม่ลองอีก ผู้ดูแลระบบดูได้ด้วย pg admin jobs`,
    seeEvents: 'ดูเหตุการณ์ที่เกิดขึ้น',
    refundsWait: (count) => `การคืนเงิน ${count} รายการรออนุมัติ`,
    showRefunds: () => 'ดูรายการ',
    approveRefunds: () => 'เลื่อนนาฬิกาและอนุมัติ',
    clockMoved: 'เลื่อนนาฬิกาแล้ว',
  },
  emptyWorld: {
    title: 'ยังไม่มีรายการชำระเงิน',
    begin: 'สร้างรายการแรกได้จากแบบฟอร์ม',
    seed: 'เติมโลกทดสอบนี้ด้วยการชำระเงิน การคืนเงิน และการโอนเงิน 1 เดือน',
    seedMonth: 'สร้างข้อมูลทดสอบ 1 เดือน',
    monthSeeded: 'สร้างรายการชำระเงินของ 1 เดือนแล้ว',
  },
  money: {
    title: 'ยอดเงิน',
    empty: 'ยังไม่มีเงินเข้า',
  },
  balance: {
    unsettled: 'รอสรุปยอด',
    pending: 'กำลังโอนเข้าบัญชี',
    paidOut: 'โอนแล้ว',
    pendingPayouts: 'รายการที่กำลังโอนเข้าบัญชี',
    paidPayouts: 'รายการที่โอนแล้ว',
    succeededPayments: 'รายการที่ชำระแล้ว',
    succeededSince: (settlement) => `รายการที่ชำระแล้ว ซึ่งสร้างหลังการสรุปยอด ${settlement}`,
  },
  settlement: {
    content: 'รายการในการสรุปยอด',
    tookNothing: 'ยังไม่มีการโอนเงิน ยอดนี้จะรวมในการสรุปยอดครั้งถัดไป',
    statesLess: (difference) => `ผู้ให้บริการแจ้งยอดน้อยกว่า ${difference}`,
    statesMore: (difference) => `ผู้ให้บริการแจ้งยอดมากกว่า ${difference}`,
    tookAll: (expected) => `มีรายการต่อไปนี้ รวม ${expected}`,
    tookSome: (total, expected) => `มีรายการต่อไปนี้ รวม ${total} จาก ${expected} ไม่พบส่วนที่เหลือในรายการล่าสุด`,
    payments: 'รายการชำระเงิน',
    refunds: 'หักการคืนเงิน',
    payouts: 'เงินโอนที่ถูกตีกลับ',
    partTitle: (title, count) => `${title} (${count})`,
  },
  payout: {
    title: (count) => (count === 1 ? 'การสรุปยอดที่โอนเข้าบัญชี' : `การสรุปยอดที่โอนเข้าบัญชี (${count} รายการ)`),
    settlements: 'การสรุปยอด',
  },
  month: {
    title: (days) => `${days} วันล่าสุด`,
    period: 'ช่วงเวลา',
    days: (days) => `${days} วัน`,
    sums: (paid, refunded) =>
      `ชำระแล้ว ${paid.amount} จาก ${paid.count} รายการ${refunded.count === 0 ? '' : ` คืนเงิน ${refunded.amount} จาก ${refunded.count} รายการ`}`,
    nothing: (days) => `ไม่มีการชำระเงินใน ${days} วันล่าสุด`,
    today: (today, yesterday, change) =>
      `วันนี้ ${today.amount} จาก ${today.count} รายการ เมื่อวาน ${yesterday.amount} จาก ${yesterday.count} รายการ${change === null ? '' : ` (${change})`}`,
    refundedLegend: 'คืนเงิน',
    dayPaid: (date, count, amount) => `${date}: ชำระแล้ว ${count} รายการ ${amount}`,
    dayByMethod: (method, count) => `${method} ${count} รายการ`,
    dayRefunded: (count, amount) => `คืนเงิน ${count} รายการ ${amount}`,
    asTable: 'ดูเป็นตาราง',
    tableTitle: 'ยอดชำระและยอดคืนเงินรายวัน',
    day: 'วันที่',
    paid: 'ชำระแล้ว',
    refunded: 'คืนเงิน',
  },
};

/** What the home page and the pages of money say. */
export const moneyTexts = inLanguage({ en: EN, th: TH });
