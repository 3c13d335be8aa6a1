import { inLanguage } from '../../story/language.ts';

const EN = {
  resource: {
    details: 'Details',
    metadata: 'Metadata',
    /** The tabs: as JSON, and as the commands that retrieve it. */
    showAs: 'Show as',
  },
  request: {
    title: 'Request',
    notFound: (searched: string) =>
      `It is not among the newest ${searched} requests of this world. The log keeps requests for seven days.`,
    replayed: 'replayed',
    sent: 'Request',
    received: 'Response',
  },
  story: {
    title: 'Story',
    /** By whom it can be done. */
    actors: { merchant: 'As the merchant', provider: 'As the provider' },
    asks: (action: string) => `${action} …`,
    refundUntil: (time: string) => `Can be canceled until ${time}.`,
    outcome: (status: number, ms: number) => `→ ${status} in ${ms} ms`,
    advance: 'Advance to here',
    clockMoved: 'The clock was moved.',
  },
  attempt: {
    endpoint: 'Endpoint',
    sink: 'Sink',
    nth: (nth: number) => `attempt ${nth}`,
    redeliver: 'Send again',
    redelivered: 'The event is sent again.',
  },
};

const TH: typeof EN = {
  resource: {
    details: 'รายละเอียด',
    metadata: 'ข้อมูลของร้านค้า',
    showAs: 'แสดงเป็น',
  },
  request: {
    title: 'คำขอ',
    notFound: (searched) => `ไม่พบในคำขอล่าสุด ${searched} รายการของโลกทดสอบนี้ ระบบเก็บบันทึกคำขอไว้ 7 วัน`,
    replayed: 'ใช้คำตอบเดิม',
    sent: 'คำขอ',
    received: 'คำตอบ',
  },
  story: {
    title: 'ลำดับเหตุการณ์',
    actors: { merchant: 'ในฐานะร้านค้า', provider: 'ในฐานะผู้ให้บริการ' },
    refundUntil: (time) => `ยกเลิกได้ถึง ${time} น.`,
    asks: (action) => `${action} …`,
    outcome: (status, ms) => `→ ${status} ใน ${ms} ms`,
    advance: 'เลื่อนนาฬิกามาที่นี่',
    clockMoved: 'เลื่อนนาฬิกาแล้ว',
  },
  attempt: {
    endpoint: 'ปลายทาง',
    sink: 'ตัวรับทดสอบ',
    nth: (nth) => `ครั้งที่ ${nth}`,
    redeliver: 'ส่งอีกครั้ง',
    redelivered: 'กำลังส่งเหตุการณ์อีกครั้ง',
  },
};

/** What the pages of one resource, its story, and one request say. */
export const storyViewTexts = inLanguage({ en: EN, th: TH });
