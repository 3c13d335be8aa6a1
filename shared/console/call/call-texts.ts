import { inLanguage } from '../../story/language.ts';

const EN = {
  keyRefused: 'The key was refused.',
  /** Why the gate sends nothing. */
  unsent: {
    noKey: 'Nothing was sent: connect with a test key first.',
    keyElsewhere: 'Nothing was sent: the request contains an API key in the wrong place.',
  },
  noResponse: {
    unreachable: (address: string) => `The service cannot be reached, or the connection broke: ${address}.`,
    checkService: 'Check that it runs.',
    checkConnection: 'Check your connection.',
    unreadable: (address: string) =>
      `A response of ${address} cannot be read. The connection broke, or a proxy changes what it passes on.`,
    mayHaveTakenEffect: 'The request may have taken effect: look before you repeat it.',
  },
  /** What a field of a form takes. */
  hint: {
    /** The types and formats of JSON Schema that fields have. */
    kinds: {
      string: 'string',
      integer: 'integer',
      int32: 'int32',
      int64: 'int64',
      number: 'number',
      boolean: 'boolean',
      array: 'array',
      text: 'text',
      date: 'date',
      'date-time': 'date-time',
      email: 'email',
      uri: 'uri',
      baht: 'baht, such as 1,299.50',
    },
    range: (minimum: string, maximum: string) => `${minimum} to ${maximum}`,
    /** `minimum` is null where a text may be empty. */
    characters: (minimum: number | null, maximum: string) =>
      `${minimum === null ? 'up to' : `${minimum} to`} ${maximum} characters`,
    withCommas: 'with commas in between',
    byDefault: (value: string) => `${value} by default`,
    optional: 'optional',
  },
};

const TH: typeof EN = {
  keyRefused: 'คีย์นี้ใช้ไม่ได้',
  unsent: {
    noKey: 'ยังไม่ได้ส่งคำขอ กรุณาเชื่อมต่อด้วยคีย์ทดสอบก่อน',
    keyElsewhere: 'ยังไม่ได้ส่งคำขอ เพราะมีคีย์ API อยู่ในช่องที่ไม่ถูกต้อง',
  },
  noResponse: {
    unreachable: (address) => `ติดต่อบริการไม่ได้ หรือการเชื่อมต่อขาดหาย: ${address}`,
    checkService: 'กรุณาตรวจสอบว่าบริการทำงานอยู่',
    checkConnection: 'กรุณาตรวจสอบการเชื่อมต่อของคุณ',
    unreadable: (address) =>
      `อ่านคำตอบจาก ${address} ไม่ได้ การเชื่อมต่ออาจขาดหาย หรือมีพร็อกซีที่เปลี่ยนแปลงข้อมูลในระหว่างทาง`,
    mayHaveTakenEffect: 'คำขออาจมีผลแล้ว กรุณาตรวจสอบก่อนส่งซ้ำ',
  },
  hint: {
    kinds: {
      string: 'ข้อความ',
      integer: 'จำนวนเต็ม',
      int32: 'จำนวนเต็ม',
      int64: 'จำนวนเต็ม',
      number: 'ตัวเลข',
      boolean: 'true หรือ false',
      array: 'หลายค่า',
      text: 'ข้อความ',
      date: 'วันที่ เช่น 2026-11-27',
      'date-time': 'วันและเวลา เช่น 2026-11-27T09:00:00+07:00',
      email: 'อีเมล',
      uri: 'URL',
      baht: 'บาท เช่น 1,299.50',
    },
    range: (minimum, maximum) => `${minimum} ถึง ${maximum}`,
    characters: (minimum, maximum) => `${minimum === null ? 'ไม่เกิน' : `${minimum} ถึง`} ${maximum} ตัวอักษร`,
    withCommas: 'คั่นด้วยจุลภาค (,)',
    byDefault: (value) => `ค่าเริ่มต้น ${value}`,
    optional: 'ไม่บังคับ',
  },
};

/** The texts of what calls the service: why nothing came of a request, and what a field takes. */
export const callTexts = inLanguage({ en: EN, th: TH });
