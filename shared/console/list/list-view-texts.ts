import { inLanguage } from '../../story/language.ts';

const EN = {
  /** Where a list is empty though its kind is not. */
  noMatch: 'Nothing matches these filters.',
  showAll: 'Show all',
  /** A number is sought among the newest alone, and older ones are left. */
  notAmong: (number: string, count: number) =>
    `${number} is not among these ${count}. Older ones may have it.`,
  exportAs: (count: number) => `CSV of these ${count}`,
  create: { payment: 'Create a payment', link: 'Create a link', submit: 'Create' },
  deliveries: {
    title: 'Deliveries',
    accepted: (count: number) => `${count} accepted it`,
    failed: (count: number) => `${count} did not`,
  },
  export: {
    all: 'Export all that match',
    read: (count: number) => `${count} read`,
    cancel: 'Cancel',
    failed: 'The service refused the export.',
  },
  pages: {
    label: (title: string) => `Pages of ${title.toLowerCase()}`,
    newest: 'Newest',
    older: 'Older',
  },
  /** The title of a column of times in an export. */
  inBangkok: (title: string) => `${title} (Bangkok)`,
  filter: {
    label: 'Filter',
    apply: 'Filter',
    any: 'any',
    dateTime: 'date-time',
    inBaht: (name: string) => `${name} in baht`,
    presets: { label: 'Time', today: 'Today', yesterday: 'Yesterday', week: '7 days', month: 'This month' },
    remove: (name: string, value: string) => `Remove the filter ${name}: ${value}`,
  },
  /** Filters that are no field of a resource, or whose words are others. */
  filterNames: {
    method: 'method',
    day: 'day',
    created_from: 'created from',
    created_to: 'created to',
    reference_prefix: 'beginning of reference',
    amount_minor: 'amount',
    resource_id: 'resource',
  },
};

const TH: typeof EN = {
  noMatch: 'ไม่พบรายการตามตัวกรองนี้',
  showAll: 'แสดงทั้งหมด',
  notAmong: (number, count) => `ไม่พบ ${number} ใน ${count} รายการนี้ อาจอยู่ในรายการก่อนหน้า`,
  exportAs: (count) => `CSV ของ ${count} รายการนี้`,
  create: { payment: 'สร้างรายการชำระเงิน', link: 'สร้างลิงก์ชำระเงิน', submit: 'สร้าง' },
  deliveries: {
    title: 'การส่ง',
    accepted: (count) => `รับแล้ว ${count} ราย`,
    failed: (count) => `ยังไม่รับ ${count} ราย`,
  },
  export: {
    all: 'ส่งออกทั้งหมดที่ตรงกัน',
    read: (count) => `อ่านแล้ว ${count} รายการ`,
    cancel: 'ยกเลิก',
    failed: 'ระบบปฏิเสธการส่งออก',
  },
  pages: {
    label: (title) => `เปลี่ยนหน้า${title}`,
    newest: 'ล่าสุด',
    older: 'เก่ากว่า',
  },
  inBangkok: (title) => `${title} (เวลาไทย)`,
  filter: {
    label: 'ตัวกรอง',
    apply: 'กรอง',
    any: 'ทั้งหมด',
    dateTime: 'เช่น 2026-11-27T09:00:00+07:00',
    inBaht: (name) => `${name} (บาท)`,
    presets: { label: 'ช่วงเวลา', today: 'วันนี้', yesterday: 'เมื่อวาน', week: '7 วัน', month: 'เดือนนี้' },
    remove: (name, value) => `ล้างตัวกรอง ${name}: ${value}`,
  },
  filterNames: {
    method: 'วิธีชำระเงิน',
    day: 'วันที่',
    created_from: 'สร้างตั้งแต่',
    created_to: 'สร้างก่อน',
    reference_prefix: 'เลขอ้างอิงขึ้นต้นด้วย',
    amount_minor: 'จำนวนเงิน',
    resource_id: 'ID ของรายการ',
  },
};

/** The texts of a list, its filters and its export. What depends on its kind is in the table of lists. */
export const listViewTexts = inLanguage({ en: EN, th: TH });
