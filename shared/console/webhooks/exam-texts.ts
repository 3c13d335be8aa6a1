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
    title: 'Run it',
    about: (pg: ComponentChildren, secret: ComponentChildren): ComponentChildren => [
      'Choose what to examine, and start the command where your shop runs. Your shop needs the signing secret of the exam: ',
      secret,
      ' prints it. The exam works in a test world of its own, and ',
      pg,
      ' ends with 0 if no question failed.',
    ],
    addresses: {
      receiver: 'Receiver of your webhooks',
      order: 'Test address that opens an order',
      probe: 'Test address that tells of an order',
    },
    questions: 'Questions',
    all: 'All questions',
    reports: 'Reports',
    files: {
      report: 'For this page and for programs: exam.json',
      html: 'For people: exam.html',
      junit: 'For CI: exam.xml',
    },
    command: 'Command',
    /** Where the page shows less than is copied. */
    keyIsCopied: 'The copy has your whole key. It is shown in part.',
    keyIsMissing: 'Put your test key in the place of pg_test_your_key, or connect with it above.',
  },
  report: {
    title: 'Open a report',
    about: (file: ComponentChildren): ComponentChildren => [
      'Drop the file ',
      file,
      ' here, or choose it. It is read in this browser and sent nowhere.',
    ],
    choose: 'Choose a report',
    close: 'Close the report',
    wrongFile: (name: string) =>
      `${name} is no report of an exam: choose the file that --report has written.`,
    tooLarge: (name: string) => `${name} is too large for a report of an exam.`,
    counts: (passed: number, count: number) =>
      `${passed} of ${count} ${count === 1 ? 'question' : 'questions'} passed`,
    meanings: {
      failed: 'The shop is not ready. Each failed question says what it costs.',
      skipped: 'Nothing failed, but what was skipped is not proven.',
      passed: 'Every question that was asked passed.',
    },
    verdicts: { passed: 'passed', failed: 'failed', skipped: 'skipped' },
    facts: { receiver: 'Receiver', seed: 'Seed', time: 'Time', file: 'File' },
    expected: 'Expected',
    actual: 'Was',
    hint: 'Look at',
    sameAs: (id: string) => `It failed for the same reason as ${id}.`,
    steps: 'Steps that fail',
    failedHere: 'failed here',
    again: 'Ask this question again',
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
    title: 'เริ่มแบบทดสอบ',
    about: (pg, secret) => [
      'เลือกสิ่งที่ต้องการทดสอบ แล้วสั่งคำสั่งนี้บนเครื่องที่ระบบร้าน\u2060ค้าทำงานอยู่ ระบบร้าน\u2060ค้าต้องใช้ secret ของแบบทดสอบ ดูได้ด้วย ',
      secret,
      ' แบบทดสอบทำงานในโลกทดสอบของตัวเอง และ ',
      pg,
      ' จบด้วย 0 ถ้าไม่มีข้อใดไม่ผ่าน',
    ],
    addresses: {
      receiver: 'ที่อยู่รับ webhook ของคุณ',
      order: 'ที่อยู่ทดสอบสำหรับเปิดคำสั่งซื้อ',
      probe: 'ที่อยู่ทดสอบสำหรับดูผลคำสั่งซื้อ',
    },
    questions: 'ข้อทดสอบ',
    all: 'ทุกข้อ',
    reports: 'รายงาน',
    files: {
      report: 'สำหรับหน้านี้และโปรแกรม: exam.json',
      html: 'สำหรับคนอ่าน: exam.html',
      junit: 'สำหรับ CI: exam.xml',
    },
    command: 'คำสั่ง',
    keyIsCopied: 'เมื่อคัดลอกจะได้คีย์ครบทั้งหมด หน้านี้แสดงเพียงบางส่วน',
    keyIsMissing: 'ใส่คีย์ทดสอบของคุณแทน pg_test_your_key หรือเชื่อมต่อด้วยคีย์ด้านบน',
  },
  report: {
    title: 'เปิดรายงาน',
    about: (file) => ['ลากไฟล์ ', file, ' มาวางที่นี่ หรือเลือกไฟล์ ระบบอ่านไฟล์ในเบราว์เซอร์นี้และไม่ส่งไปที่ใด'],
    choose: 'เลือกรายงาน',
    close: 'ปิดรายงาน',
    wrongFile: (name) => `${name} ไม่ใช่รายงานแบบทดสอบ กรุณาเลือกไฟล์ที่ --report เขียนไว้`,
    tooLarge: (name) => `${name} มีขนาดใหญ่เกินกว่าจะเป็นรายงานแบบทดสอบ`,
    counts: (passed, count) => `ผ่าน ${passed} จาก ${count} ข้อ`,
    meanings: {
      failed: 'ระบบร้าน\u2060ค้ายังไม่พร้อมใช้งานจริง ข้อที่ไม่ผ่านแต่ละข้อบอกผลเสียไว้',
      skipped: 'ไม่มีข้อใดไม่ผ่าน แต่ข้อที่ข้ามไปยังไม่ได้พิสูจน์',
      passed: 'ผ่านทุกข้อที่ทดสอบ',
    },
    verdicts: { passed: 'ผ่าน', failed: 'ไม่ผ่าน', skipped: 'ข้าม' },
    facts: { receiver: 'ที่อยู่รับ webhook', seed: 'Seed', time: 'เวลา', file: 'ไฟล์' },
    expected: 'ที่ควรเป็น',
    actual: 'ที่เป็น',
    hint: 'ควรตรวจดู',
    sameAs: (id) => `ไม่ผ่านด้วยสาเหตุเดียวกับ ${id}`,
    steps: 'ขั้นตอนที่ไม่ผ่าน',
    failedHere: 'ไม่ผ่านที่ขั้นนี้',
    again: 'ทดสอบข้อนี้อีกครั้ง',
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
