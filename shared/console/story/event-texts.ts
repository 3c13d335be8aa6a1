import { inLanguage } from '../../story/language.ts';

const EN = {
  deliveries: 'Deliveries',
  none: 'Nobody received this event: no endpoint was subscribed to it when it happened.',
  body: 'Event',
  endpoint: 'Endpoint',
  sink: (name: string) => `Sink ${name}`,
  attemptsTo: (name: string) => `Attempts to ${name}`,
  attempt: (attempt: number) => `Attempt ${attempt}`,
  repeated: 'Sent again',
  noAnswer: 'no answer',
  sendAgain: 'Send again',
  sendToAll: 'Send to all',
  sent: 'The event is sent again.',
  sentToAll: (sent: number, count: number) =>
    `The event is sent again to ${sent} of ${count} ${count === 1 ? 'receiver' : 'receivers'}.`,
};

const TH: typeof EN = {
  deliveries: 'การส่ง',
  none: 'ไม่มีผู้รับเหตุการณ์นี้ เพราะไม่มีปลายทางที่สมัครรับไว้ในตอนนั้น',
  body: 'เหตุการณ์',
  endpoint: 'ปลายทาง',
  sink: (name) => `Sink ${name}`,
  attemptsTo: (name) => `การส่งไปที่ ${name}`,
  attempt: (attempt) => `ครั้งที่ ${attempt}`,
  repeated: 'ส่งอีกครั้ง',
  noAnswer: 'ไม่มีคำตอบ',
  sendAgain: 'ส่งอีกครั้ง',
  sendToAll: 'ส่งให้ทุกผู้รับ',
  sent: 'ส่งเหตุการณ์อีกครั้งแล้ว',
  sentToAll: (sent, count) => `ส่งเหตุการณ์อีกครั้งแล้ว ${sent} จาก ${count} ผู้รับ`,
};

/** What the page of an event says. */
export const eventTexts = inLanguage({ en: EN, th: TH });
