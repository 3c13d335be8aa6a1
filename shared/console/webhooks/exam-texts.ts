import type { ComponentChildren } from 'preact';
import { inLanguage } from '../../story/language.ts';

const EN = {
  view: {
    title: 'Exam',
    about: (endpoints: ComponentChildren): ComponentChildren => [
      'The exam sends webhooks to your own shop, in good and in bad ways, and judges what the shop does. It runs on your machine. ',
      endpoints,
    ],
    endpoints: 'Your webhook endpoints',
    guide: 'Guide to the exam',
  },
  run: {
    title: 'How to run it',
    about: (pg: ComponentChildren): ComponentChildren => [
      pg,
      ' is the command line of this service, in its repository. The exam works in a test world of its own. The exit status is 0 if no question failed.',
    ],
  },
  commands: {
    nameService: 'Name this service',
    printSecret: 'Print the signing secret for your shop',
    askAll: 'Ask every question',
    askSome: 'Ask some questions, by their ids or groups',
    repeat: 'Repeat an exam, by the seed that its report names',
    writeReports: 'Write reports for programs, CI and people',
  },
  addresses: {
    title: 'Two addresses for tests',
    about:
      'Your shop has them where it is tested, and nowhere else. Without them, the exam skips the questions that need them.',
    order:
      'opens an order. A status from 200 to 299 says that the order is open. The exam creates its payment with the same reference.',
    orderRequest: (option: string) => `POST to ${option}`,
    probe:
      'says what became of an order: whether it is paid, how often its goods went out, and how much was given back. Status 404 says that the order is unknown.',
    probeResponse: (request: string) => `Response to ${request}`,
  },
  questions: {
    /** Says that the questions are in English; null where the rest is, too. */
    language: null as string | null,
    inGuide: (id: string) => `${id} in the guide`,
  },
};

const TH: typeof EN = {
  view: {
    title: 'แบบทดสอบ',
    about: (endpoints) => [
      'แบบทดสอบส่ง webhook ไปยังระบบร้าน\u2060ค้าของคุณ ทั้งแบบปกติและแบบผิดปกติ แล้วตรวจว่าระบบทำงานถูกต้องหรือไม่ โดยทำงานบนเครื่องของคุณ ',
      endpoints,
    ],
    endpoints: 'ปลายทาง webhook ของคุณ',
    guide: 'คู่มือแบบทดสอบ',
  },
  run: {
    title: 'วิธีเริ่มแบบทดสอบ',
    about: (pg) => [
      pg,
      ' คือโปรแกรมบรรทัดคำสั่งของบริการนี้ อยู่ใน repository ของบริการ แบบทดสอบทำงานในโลกทดสอบของตัวเอง และจบด้วย exit status 0 ถ้าไม่มีข้อใดไม่ผ่าน',
    ],
  },
  commands: {
    nameService: 'ระบุบริการนี้',
    printSecret: 'แสดง secret ที่ระบบร้าน\u2060ค้าใช้ตรวจลายเซ็น',
    askAll: 'ทดสอบทุกข้อ',
    askSome: 'ทดสอบบางข้อ ตามรหัสข้อหรือกลุ่ม',
    repeat: 'ทดสอบซ้ำแบบเดิม ด้วย seed ที่อยู่ในรายงาน',
    writeReports: 'เขียนรายงานสำหรับโปรแกรม CI และคนอ่าน',
  },
  addresses: {
    title: 'ที่อยู่สองแห่งสำหรับการทดสอบ',
    about: 'ระบบร้าน\u2060ค้าของคุณเปิดที่อยู่เหล่านี้เฉพาะตอนทดสอบเท่านั้น หากไม่มี แบบทดสอบจะข้ามข้อที่ต้องใช้',
    order: 'เปิดคำสั่งซื้อ สถานะ 200 ถึง 299 หมายความว่าเปิดแล้ว จากนั้นแบบทดสอบสร้างรายการชำระเงินด้วยเลขอ้างอิงเดียวกัน',
    orderRequest: (option) => `POST ไปที่ ${option}`,
    probe: 'แจ้งผลของคำสั่งซื้อ ว่าชำระแล้วหรือไม่ ส่งสินค้าไปกี่ครั้ง และคืนเงินไปเท่าไร สถานะ 404 หมายความว่าไม่รู้จักคำสั่งซื้อนี้',
    probeResponse: (request) => `คำตอบของ ${request}`,
  },
  questions: {
    language: 'ข้อทดสอบต่อไปนี้เป็นภาษาอังกฤษ',
    inGuide: (id) => `${id} ในคู่มือ`,
  },
};

/** What the page of the exam says, beside the questions themselves. */
export const examTexts = inLanguage({ en: EN, th: TH });
