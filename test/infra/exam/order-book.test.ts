import { describe, expect, test } from 'vitest';
import type { Event } from '../../../infra/events/follow-events.ts';
import { differenceOf, OrderBook } from '../../../infra/exam/order-book.ts';

const ORDER = { reference: 'exam-1', paymentId: 'pay_1' };

function eventOf(type: string, object: object): Event {
  return { id: 'evt_1', type, data: { object, previous_status: null } } as unknown as Event;
}
const success = (fields: object = {}) =>
  eventOf('payment.succeeded', { id: 'pay_1', reference: 'exam-1', late: false, ...fields });
const refund = (id: string, minor: number) =>
  eventOf('refund.succeeded', { id, payment_id: 'pay_1', amount: { currency: 'THB', minor } });

function bookOf(): OrderBook {
  const book = new OrderBook();
  book.add(ORDER);
  return book;
}

function expectedAfter(...events: readonly Event[]) {
  const book = bookOf();
  for (const event of events) {
    book.note(event, true);
  }
  return book.expected(ORDER);
}

describe('what a right shop knows of an order', () => {
  const unpaid = { paid: false, fulfilled: [0], refundedMinor: 0 };
  const paid = { paid: true, fulfilled: [1], refundedMinor: 0 };

  test.each(['created', 'processing', 'failed', 'expired', 'canceled', 'amount_mismatch'])(
    'is that payment.%s does not pay it',
    (name) => {
      const object = { id: 'pay_1', reference: 'exam-1' };
      expect(expectedAfter(eventOf(`payment.${name}`, object))).toEqual(unpaid);
      expect(expectedAfter(success(), eventOf(`payment.${name}`, object))).toEqual(paid);
    },
  );

  test('is that it is paid once, by one payment or by two', () => {
    expect(expectedAfter(success())).toEqual(paid);
    expect(expectedAfter(success(), success(), success({ id: 'pay_2' }))).toEqual(paid);
    expect(expectedAfter(success({ id: 'pay_9', reference: 'exam-9' }))).toEqual(unpaid);
  });

  test('leaves open whether goods go out for money that came late', () => {
    expect(expectedAfter(success({ late: true }))).toEqual({ ...paid, fulfilled: [0, 1] });
  });

  test('leaves open what an event did that it may not have received', () => {
    const book = bookOf();
    book.note(success(), false);
    expect(book.expected(ORDER)).toEqual({ paid: null, fulfilled: [0, 1], refundedMinor: 0 });
  });

  test('is the sum of its refunds, each once, and none of a payment that it cannot know', () => {
    const given = expectedAfter(success(), refund('ref_1', 300), refund('ref_1', 300), refund('ref_2', 50));
    expect(given).toEqual({ paid: null, fulfilled: [1], refundedMinor: 350 });
    expect(expectedAfter(refund('ref_1', 300))).toEqual({ paid: null, fulfilled: [0], refundedMinor: null });
    const ofSecond = eventOf('refund.succeeded', { id: 'ref_3', payment_id: 'pay_2', amount: { minor: 70 } });
    const bySecond = success({ id: 'pay_2' });
    const book = bookOf();
    book.addPayment(ORDER, 'pay_2');
    for (const [event, refundedMinor] of [
      [success(), 0],
      [ofSecond, null],
      [bySecond, 70],
    ] as const) {
      book.note(event, true);
      expect(book.expected(ORDER)).toMatchObject({ refundedMinor });
    }
    expect(
      ['pay_2', 'pay_3'].map((payment_id) => book.knowsPaymentOf({ payment_id, reference: 'exam-1' })),
    ).toEqual([true, false]);
  });

  test('leaves open a refund that it may not have received, until it has', () => {
    const book = bookOf();
    book.note(success(), true);
    for (const [isCertain, refundedMinor] of [
      [false, null],
      [true, 300],
      [false, 300],
    ] as const) {
      book.note(refund('ref_1', 300), isCertain);
      expect(book.expected(ORDER)).toEqual({ paid: null, fulfilled: [1], refundedMinor });
    }
  });
});

describe('what a probe says', () => {
  const expected = { paid: true, fulfilled: [1], refundedMinor: 300 } as const;
  const right = { paid: true, fulfilled: 1, refundedMinor: 300 };

  test('is right where it says the truth, or nothing of refunds', () => {
    expect(differenceOf(expected, right)).toBeNull();
    expect(differenceOf(expected, { ...right, refundedMinor: null })).toBeNull();
    expect(differenceOf({ ...expected, paid: null }, { ...right, paid: false })).toBeNull();
  });

  test.each([
    ['order', null, false],
    ['paid', { ...right, paid: false }, false],
    ['fulfilled', { ...right, fulfilled: 0 }, false],
    ['fulfilled', { ...right, fulfilled: 2 }, true],
    ['refunded_minor', { ...right, refundedMinor: 0 }, false],
    ['refunded_minor', { ...right, refundedMinor: 600 }, true],
  ])('is wrong in its %s: %j', (field, actual, isTooMuch) => {
    expect(differenceOf(expected, actual)).toMatchObject({ field, isTooMuch });
  });
});
