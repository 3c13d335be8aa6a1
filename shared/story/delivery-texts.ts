import type { DeliveryFailure } from '../domain/delivery.ts';
import type { DisabledReason } from '../domain/endpoint.ts';
import { inLanguage } from './language.ts';

const EN = {
  /** Why there was no complete response. */
  failures: {
    address_forbidden: 'its host name resolves to an address that is not allowed',
    name_not_found: 'its host name is unknown',
    unreachable: 'its server does not respond',
    tls_failed: 'its certificate is not trusted',
    connection_lost: 'the connection was lost',
    timeout: 'the response did not arrive in time',
    invalid_answer: 'its response is not valid HTTP',
  } satisfies Record<DeliveryFailure, string>,
  /** Why a response does not accept an event. */
  redirected: (status: number | null) => `the response was ${status}, and redirects are not followed`,
  refused: (status: number | null) => `the response was ${status}, and only 2xx accepts an event`,
  failed: (reason: string) => `Failed: ${reason}.`,
  /** No attempt follows. */
  givenUp: (reason: string) => `Given up: ${reason}.`,
  noResponse: 'no response',
  response: (status: number) => `response ${status}`,
  /** Who receives: at the beginning of a sentence, and after a preposition. */
  receivers: { endpoint: 'Your server', sink: 'The sink' },
  /** What became of an attempt, in a sentence. */
  accepted: (receiver: string, status: number, duration: string) =>
    `${receiver} answered ${status}${duration}: the event was accepted.`,
  notAccepted: (receiver: string, status: number, duration: string) =>
    `${receiver} answered ${status}${duration}: only 2xx accepts an event.`,
  notFollowed: (receiver: string, status: number, duration: string) =>
    `${receiver} answered ${status}${duration}: redirects are not followed.`,
  unanswered: (receiver: string, duration: string, reason: string) =>
    `${receiver} gave no answer${duration}: ${reason}.`,
  after: (duration: string) => ` after ${duration}`,
  noneFollows: 'No attempt follows.',
  /** In place of a type that is not known. */
  event: 'event',
  disabled: (reason: string) => `Disabled: ${reason}`,
  disabledReasons: {
    requested: 'you disabled it',
    gone: 'its server responded with 410 (Gone)',
    failing: 'every delivery failed for 5 days',
  } satisfies Record<DisabledReason, string>,
  unknownReason: 'unknown',
  overlap: (time: string) => `The previous secret also signs until ${time} in Bangkok, in real time.`,
  recovered: (count: number) => `${count} ${count === 1 ? 'event is' : 'events are'} being sent again.`,
  /** How a sink responds. */
  sinkFails: (count: number, status: number) => `fails ${count} more, with ${status}`,
  sinkResponds: (status: number) => `responds with ${status}`,
  /** Of the last 24 hours. */
  dayRate: (succeeded: number, count: number, percent: number) =>
    `${succeeded} of ${count} in 24 h (${percent} %)`,
  rate: (succeeded: number, count: number, percent: number) =>
    `${succeeded} of ${count} ${count === 1 ? 'attempt' : 'attempts'} succeeded (${percent} %)`,
};

const TH: typeof EN = {
  failures: {
    address_forbidden: 'ชื่อโฮสต์ชี้ไปยังที่อยู่ที่ไม่อนุญาต',
    name_not_found: 'ไม่พบชื่อโฮสต์',
    unreachable: 'เซิร์ฟเวอร์ไม่ตอบสนอง',
    tls_failed: 'ใบรับรองของเซิร์ฟเวอร์ไม่น่าเชื่อถือ',
    connection_lost: 'การเชื่อมต่อขาดหาย',
    timeout: 'ไม่ได้รับคำตอบภายในเวลาที่กำหนด',
    invalid_answer: 'คำตอบไม่ใช่ HTTP ที่ถูกต้อง',
  },
  redirected: (status) => `คำตอบคือ ${status} และระบบไม่ติดตามการเปลี่ยนเส้นทาง`,
  refused: (status) => `คำตอบคือ ${status} ต้องตอบ 2xx จึงถือว่ารับเหตุการณ์แล้ว`,
  failed: (reason) => `ส่งไม่สำเร็จ: ${reason}`,
  givenUp: (reason) => `หยุดส่งแล้ว: ${reason}`,
  noResponse: 'ไม่มีคำตอบ',
  response: (status) => `คำตอบ ${status}`,
  receivers: { endpoint: 'เซิร์ฟเวอร์ของคุณ', sink: 'Sink ' },
  accepted: (receiver, status, duration) => `${receiver}ตอบ ${status}${duration} และรับเหตุการณ์แล้ว`,
  notAccepted: (receiver, status, duration) =>
    `${receiver}ตอบ ${status}${duration} ต้องตอบ 2xx จึงถือว่ารับเหตุการณ์แล้ว`,
  notFollowed: (receiver, status, duration) =>
    `${receiver}ตอบ ${status}${duration} และระบบไม่ติดตามการเปลี่ยนเส้นทาง`,
  unanswered: (receiver, duration, reason) => `${receiver}ไม่ตอบ${duration}: ${reason}`,
  after: (duration) => ` หลังจาก ${duration}`,
  noneFollows: 'จะไม่ส่งอีก',
  event: 'เหตุการณ์',
  disabled: (reason) => `ปิดใช้งาน: ${reason}`,
  disabledReasons: {
    requested: 'คุณปิดใช้งานเอง',
    gone: 'เซิร์ฟเวอร์ตอบ 410 (Gone)',
    failing: 'ส่งไม่สำเร็จทุกครั้งตลอด 5 วัน',
  },
  unknownReason: 'ไม่ทราบสาเหตุ',
  overlap: (time) => `รหัสลับเดิมยังใช้ลงลายเซ็นได้ถึง ${time} ตามเวลาจริงในกรุงเทพฯ`,
  recovered: (count) => `กำลังส่ง ${count} เหตุการณ์อีกครั้ง`,
  sinkFails: (count, status) => `จะตอบ ${status} อีก ${count} ครั้ง`,
  sinkResponds: (status) => `ตอบ ${status}`,
  dayRate: (succeeded, count, percent) => `สำเร็จ ${succeeded} จาก ${count} ใน 24 ชม. (${percent} %)`,
  rate: (succeeded, count, percent) => `ส่งสำเร็จ ${succeeded} จาก ${count} ครั้ง (${percent} %)`,
};

/** What is said of deliveries and of what receives them. */
export const deliveryTexts = inLanguage({ en: EN, th: TH });
