import type { ComponentChildren } from 'preact';
import type { Delivery, SignatureVerdict } from '../../domain/delivery.ts';
import { inLanguage } from '../../story/language.ts';

const EN = {
  view: {
    title: 'Webhook endpoints',
    about: 'Your own servers. They receive the events of this test world, with a signature.',
    aboutTests: (requests: ComponentChildren, exam: ComponentChildren): ComponentChildren => [
      'What your own programs sent is in the ',
      requests,
      '. The ',
      exam,
      ' tests your receiver.',
    ],
    requests: 'log of requests',
    exam: 'exam',
    createEndpoint: 'Create an endpoint',
    create: 'Create',
  },
  noEndpoint: {
    title: 'No endpoint yet',
    begin: 'Create one with the URL of your server. It receives all events from then on.',
    ownMachine: (server: ComponentChildren): ComponentChildren => [
      'The service runs on your machine, and reaches a server there: ',
      server,
    ],
    otherMachine: (command: ComponentChildren): ComponentChildren => [
      'A server on your own machine cannot be reached from outside. Events can be forwarded to it: ',
      command,
    ],
  },
  endpoint: {
    receivesAll: 'Receives every event.',
    receives: (events: string) => `Receives ${events}.`,
    failing: (since: ComponentChildren, days: number): ComponentChildren => [
      'Failing since ',
      since,
      `. It is disabled after ${days} days`,
    ],
    noDeliveries: 'No deliveries yet',
    accepts: 'Accepts deliveries',
  },
  tools: {
    ping: 'Ping',
    pinged: 'The test event was accepted',
    secret: 'Secret',
    lacksSecret: 'This key lacks webhook.manage, so it cannot read the secret.',
    rotate: 'Rotate secret',
    recover: 'Recover',
    /** Follows the count of the events that are being sent again. */
    more: (since: ComponentChildren, recoverMore: ComponentChildren): ComponentChildren => [
      ' There are more since ',
      since,
      '. ',
      recoverMore,
    ],
    recoverMore: 'Recover them',
    edit: 'Edit',
    updated: 'The endpoint was updated.',
    enable: 'Enable',
    enabled:
      'The endpoint is enabled and receives events from now on. "Recover" sends the events that it missed.',
    disable: 'Disable',
    disabled: 'The endpoint is disabled. It receives no events.',
    delete: 'Delete',
    deleted: 'The endpoint was deleted.',
  },
  secret: {
    title: 'The secret of an endpoint',
    about:
      'Your server uses this secret to verify that an event comes from this service. Store it like a password.',
    name: 'Secret',
    done: 'Done',
  },
  log: {
    empty: 'No deliveries yet.',
    noneShown: 'None of these attempts.',
    notListed: 'The attempt that the address names is not among these.',
    redelivered: 'The event was delivered again.',
    failedOnly: 'Failed only',
    eventType: 'Event type',
    allTypes: 'all types',
    pages: (receiverId: string) => `Pages of the attempts to ${receiverId}`,
    newest: 'Newest',
    older: 'Older',
  },
  delivery: {
    statuses: {
      delivered: 'delivered',
      failed: 'failed',
      exhausted: 'given up',
    } satisfies Record<Delivery['status'], string>,
    signatures: {
      valid: 'signature valid',
      invalid: 'signature invalid',
      unknown: 'signature unknown',
    } satisfies Record<SignatureVerdict, string>,
    title: (eventType: string, attempt: number) => `${eventType}, attempt ${attempt}`,
    attempt: (attempt: number, status: string) => `Attempt ${attempt}: ${status}`,
    /** Follows the time of the attempt. */
    again: (at: ComponentChildren): ComponentChildren => [' · again at ', at],
    redeliver: 'Redeliver',
    body: 'Body',
    responseStart: 'Start of the response',
    close: 'Close',
  },
};

const TH: typeof EN = {
  view: {
    title: 'ปลายทาง webhook',
    about: 'เซิร์ฟเวอร์ของคุณ ซึ่งรับเหตุการณ์ของโลกทดสอบนี้พร้อมลายเซ็น',
    aboutTests: (requests, exam) => [
      'ดูคำขอที่โปรแกรมของคุณส่งได้ใน',
      requests,
      ' และตรวจระบบรับ webhook ของคุณได้ด้วย',
      exam,
    ],
    requests: 'บันทึกคำขอ',
    exam: 'แบบทดสอบ',
    createEndpoint: 'สร้างปลายทาง',
    create: 'สร้าง',
  },
  noEndpoint: {
    title: 'ยังไม่มีปลายทาง',
    begin: 'สร้างปลายทางด้วย URL ของเซิร์ฟเวอร์คุณ ปลายทางจะได้รับทุกเหตุการณ์ตั้งแต่นั้นไป',
    ownMachine: (server) => ['บริการนี้ทำงานบนเครื่องของคุณ และส่งถึงเซิร์ฟเวอร์บนเครื่องนี้ได้ เช่น ', server],
    otherMachine: (command) => [
      'บริการนี้ส่งถึงเซิร์ฟเวอร์บนเครื่องของคุณโดยตรงไม่ได้ แต่ส่งต่อเหตุการณ์ไปยังเครื่องได้ด้วยคำสั่ง ',
      command,
    ],
  },
  endpoint: {
    receivesAll: 'รับทุกเหตุการณ์',
    receives: (events) => `รับเหตุการณ์ ${events}`,
    failing: (since, days) => ['ส่งไม่สำเร็จตั้งแต่ ', since, ` จะปิดใช้งานเมื่อครบ ${days} วัน`],
    noDeliveries: 'ยังไม่มีการส่ง',
    accepts: 'รับได้ตามปกติ',
  },
  tools: {
    ping: 'ทดสอบส่ง',
    pinged: 'ปลายทางรับเหตุการณ์ทดสอบแล้ว',
    secret: 'ดู secret',
    lacksSecret: 'คีย์นี้ไม่มีสิทธิ์ webhook.manage จึงดู secret ไม่ได้',
    rotate: 'เปลี่ยน secret',
    recover: 'ส่งเหตุการณ์ที่ตกหล่น',
    more: (since, recoverMore) => [' ยังมีเหตุการณ์เหลืออยู่ตั้งแต่ ', since, ' ', recoverMore],
    recoverMore: 'ส่งส่วนที่เหลือ',
    edit: 'แก้ไข',
    updated: 'แก้ไขปลายทางแล้ว',
    enable: 'เปิดใช้งาน',
    enabled: 'เปิดใช้งานปลายทางแล้ว ปลายทางจะได้รับเหตุการณ์ตั้งแต่นี้ไป กด "ส่งเหตุการณ์ที่ตกหล่น" เพื่อส่งเหตุการณ์ก่อนหน้านี้',
    disable: 'ปิดใช้งาน',
    disabled: 'ปิดใช้งานปลายทางแล้ว ปลายทางจะไม่ได้รับเหตุการณ์',
    delete: 'ลบ',
    deleted: 'ลบปลายทางแล้ว',
  },
  secret: {
    title: 'Secret ของปลายทาง',
    about: 'เซิร์ฟเวอร์ของคุณใช้ secret นี้ตรวจสอบว่าเหตุการณ์มาจากบริการนี้จริง กรุณาเก็บรักษาไว้เหมือนรหัสผ่าน',
    name: 'Secret',
    done: 'เสร็จสิ้น',
  },
  log: {
    empty: 'ยังไม่มีการส่ง',
    noneShown: 'ไม่มีการส่งที่ตรงกับตัวกรอง',
    notListed: 'การส่งที่ลิงก์ระบุไม่อยู่ในรายการนี้',
    redelivered: 'ส่งเหตุการณ์อีกครั้งแล้ว',
    failedOnly: 'เฉพาะที่ไม่สำเร็จ',
    eventType: 'ประเภทเหตุการณ์',
    allTypes: 'ทุกประเภท',
    pages: (receiverId) => `หน้ารายการส่งไปที่ ${receiverId}`,
    newest: 'ล่าสุด',
    older: 'เก่ากว่า',
  },
  delivery: {
    statuses: {
      delivered: 'ส่งสำเร็จ',
      failed: 'ส่งไม่สำเร็จ',
      exhausted: 'หยุดส่งแล้ว',
    },
    signatures: {
      valid: 'ลายเซ็นถูกต้อง',
      invalid: 'ลายเซ็นไม่ถูกต้อง',
      unknown: 'ไม่ทราบผลตรวจลายเซ็น',
    },
    title: (eventType, attempt) => `${eventType} ส่งครั้งที่ ${attempt}`,
    attempt: (attempt, status) => `ครั้งที่ ${attempt}: ${status}`,
    again: (at) => [' · ส่งอีกครั้ง ', at],
    redeliver: 'ส่งอีกครั้ง',
    body: 'Body',
    responseStart: 'ส่วนต้นของคำตอบ',
    close: 'ปิด',
  },
};

/** What the page of webhook endpoints and the logs of deliveries say. */
export const webhookTexts = inLanguage({ en: EN, th: TH });
