import { inLanguage } from './language.ts';
import type { BodyOf } from './operation-id.ts';

/** How many there are of something, as far as that is known. */
interface PartialCount {
  /** Null where it is not known. */
  readonly count: number | null;
  readonly hasMore: boolean;
}

/** What a move of the clock counts. */
type MoveCount = Exclude<keyof BodyOf<'testkit.AdvanceClock'>['shifted'], 'from' | 'to'>;

const EN = {
  /** What a purge deletes. */
  losses: {
    payments: (payments: PartialCount) =>
      `${countInEnglish(payments, 'payment')}, with refunds, payouts, settlements and payment links`,
    sinks: (sinks: PartialCount) => `${countInEnglish(sinks, 'webhook sink')}, with what they received`,
    endpoints: (endpoints: PartialCount) =>
      `${countInEnglish(endpoints, 'webhook endpoint')}, with what was sent to them`,
    events: 'all events, and what is still to be delivered or done',
    savedResponses: 'the saved responses of idempotency keys',
    /** @param ahead how far the clock is ahead; empty if it is not */
    clock: (ahead: string) => `the clock: it returns to real time${ahead === '' ? '' : `, ${ahead} back`}`,
  },
  inStep: 'in step with real time',
  ahead: (length: string) => `${length} ahead of real time`,
  effects: {
    payments_expired: 'payments expired',
    refunds_approved: 'refunds approved',
    simulations_applied: 'outcomes applied',
    deliveries_attempted: 'deliveries attempted',
    jobs_remaining: 'jobs still to run',
  } satisfies Record<MoveCount, string>,
  effect: (what: string, count: number) => `${what}: ${count}`,
  allEffects: (effects: readonly string[]) => `${effects.join(', ')}.`,
};

const TH: typeof EN = {
  losses: {
    payments: (payments) =>
      `รายการชำระเงิน ${countInThai(payments, 'รายการ')} พร้อมการคืนเงิน การโอนเงินเข้าบัญชี การสรุปยอด และลิงก์ชำระเงิน`,
    sinks: (sinks) => `ตัวรับทดสอบ ${countInThai(sinks, 'ตัว')} พร้อมข้อมูลที่ได้รับ`,
    endpoints: (endpoints) => `ปลายทาง webhook ${countInThai(endpoints, 'แห่ง')} พร้อมข้อมูลที่ส่งไปแล้ว`,
    events: 'เหตุการณ์ทั้งหมด รวมถึงการส่งและงานที่ยังค้างอยู่',
    savedResponses: 'คำตอบที่บันทึกไว้ของ idempotency key',
    clock: (ahead) => `นาฬิกา: กลับไปตรงกับเวลาจริง${ahead === '' ? '' : ` โดยย้อนกลับ ${ahead}`}`,
  },
  inStep: 'ตรงกับเวลาจริง',
  ahead: (length) => `เร็วกว่าเวลาจริง ${length}`,
  effects: {
    payments_expired: 'หมดเวลาชำระเงิน',
    refunds_approved: 'อนุมัติการคืนเงิน',
    simulations_applied: 'จำลองผลแล้ว',
    deliveries_attempted: 'ส่งเหตุการณ์',
    jobs_remaining: 'งานที่ยังไม่เสร็จ',
  },
  effect: (what, count) => `${what} ${count} รายการ`,
  allEffects: (effects) => effects.join(', '),
};

function countInEnglish({ count, hasMore }: PartialCount, one: string): string {
  const more = hasMore ? ' or more' : '';
  return count === null ? `all ${one}s` : `${count}${more} ${count === 1 ? one : `${one}s`}`;
}

/** @param unit the word that Thai counts such things by */
function countInThai({ count, hasMore }: PartialCount, unit: string): string {
  return count === null ? `ทุก${unit}` : `${count} ${unit}${hasMore ? 'ขึ้นไป' : ''}`;
}

/** What is said of the test world and its clock. */
export const worldTexts = inLanguage({ en: EN, th: TH });
