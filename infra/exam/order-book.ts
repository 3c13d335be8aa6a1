import type { Event } from '../events/follow-events.ts';
import type { ProbeResult } from './shop.ts';

/*
 * What a right shop knows of its orders: the facts of the events that were sent to it, in any order and number. The
 * expectation of a probe follows from them, so every part of a question is fair by itself.
 */

/** An order as the exam has opened it. */
export interface ExamOrder {
  readonly reference: string;
  /** Its first payment. */
  readonly paymentId: string;
}

/** What an event's object has, as far as the exam reads it. */
export interface EventObject {
  readonly id?: string;
  readonly payment_id?: string;
  readonly reference?: string | null;
  readonly amount?: { readonly minor: number };
  readonly late?: boolean;
}

/** What a probe may say. */
export interface ExpectedOrder {
  /** Null where both are right. */
  readonly paid: boolean | null;
  readonly fulfilled: readonly number[];
  /** Null where the shop need not know of the payment that was given back. */
  readonly refundedMinor: number | null;
}

interface OrderFacts {
  /** The payments whose success the shop must know. */
  readonly paid: Set<string>;
  isMaybePaid: boolean;
  /** Money came in time. Where all of it came late, a shop may give it back in place of sending goods. */
  isPaidInTime: boolean;
  readonly refunds: Map<string, { readonly paymentId: string; readonly minor: number }>;
  /** The refunds that it may know of, and need not. */
  readonly maybeRefunds: Set<string>;
}

export class OrderBook {
  readonly #orders = new Map<string, ExamOrder>();
  readonly #byPayment = new Map<string, ExamOrder>();
  readonly #facts = new Map<string, OrderFacts>();

  /** Every order, in the order in which they were opened. */
  get orders(): readonly ExamOrder[] {
    return [...this.#orders.values()];
  }

  add(order: ExamOrder): void {
    this.#orders.set(order.reference, order);
    this.#byPayment.set(order.paymentId, order);
    this.#facts.set(order.reference, {
      paid: new Set(),
      isMaybePaid: false,
      isPaidInTime: false,
      refunds: new Map(),
      maybeRefunds: new Set(),
    });
  }

  /** Adds the next payment of an order: its reference may be a number of the shop's own. */
  addPayment({ reference }: ExamOrder, paymentId: string): void {
    const order = this.#orders.get(reference);
    if (order !== undefined) {
      this.#byPayment.set(paymentId, order);
    }
  }

  /** The order of a payment or refund; undefined where the shop has none. */
  orderOf(object: EventObject): ExamOrder | undefined {
    const byReference = this.#orders.get(String(object.reference));
    return byReference ?? this.#byPayment.get(String(object.payment_id ?? object.id));
  }

  /** Notes an event that the shop has received. @param isCertain whether it must have processed it */
  note(
    { type, data }: Pick<Event, 'type'> & { readonly data: { readonly object: object } },
    isCertain: boolean,
  ): void {
    const object = data.object as EventObject;
    const facts = this.#factsOf(object);
    if (facts === undefined) {
      return;
    }
    const id = String(object.id);
    if (type === 'payment.succeeded') {
      facts.isMaybePaid = true;
      if (isCertain) {
        facts.paid.add(id);
        facts.isPaidInTime ||= object.late !== true;
      }
    } else if (type === 'refund.succeeded' && isCertain) {
      facts.maybeRefunds.delete(id);
      facts.refunds.set(id, { paymentId: String(object.payment_id), minor: object.amount?.minor ?? 0 });
    } else if (type === 'refund.succeeded' && !facts.refunds.has(id)) {
      facts.maybeRefunds.add(id);
    }
  }

  /** Whether the shop must know that the payment of a refund has succeeded. */
  knowsPaymentOf(refund: EventObject): boolean {
    return this.#factsOf(refund)?.paid.has(String(refund.payment_id)) === true;
  }

  expected({ reference }: ExamOrder): ExpectedOrder {
    const facts = this.#facts.get(reference);
    const refunds = [...(facts?.refunds.values() ?? [])];
    const isOpenRefund = facts !== undefined && facts.maybeRefunds.size > 0;
    const isKnown = !isOpenRefund && refunds.every(({ paymentId }) => facts?.paid.has(paymentId));
    const refundedMinor = isKnown ? refunds.reduce((total, { minor }) => total + minor, 0) : null;
    if (facts === undefined || !facts.isMaybePaid) {
      return { paid: refundedMinor === 0 ? false : null, fulfilled: [0], refundedMinor };
    }
    return {
      // A shop may call an order that was given back unpaid.
      paid: facts.paid.size > 0 && refundedMinor === 0 ? true : null,
      fulfilled: facts.isPaidInTime ? [1] : [0, 1],
      refundedMinor,
    };
  }

  #factsOf(object: EventObject): OrderFacts | undefined {
    return this.#facts.get(String(this.orderOf(object)?.reference));
  }
}

/** How a probe differs from what is expected. */
export interface ProbeDifference {
  /** The field that differs, for two failures of one kind. */
  readonly field: 'order' | 'paid' | 'fulfilled' | 'refunded_minor';
  readonly expected: string;
  readonly actual: string;
  /** The probe says more than is true: that does not mend itself. */
  readonly isTooMuch: boolean;
}

/** @param actual what the probe said; null where it does not know the order */
export function differenceOf(
  { paid, fulfilled, refundedMinor }: ExpectedOrder,
  actual: ProbeResult | null,
): ProbeDifference | null {
  if (actual === null) {
    const expected = 'the probe to know the order';
    return { field: 'order', expected, actual: 'it answered 404', isTooMuch: false };
  }
  if (paid !== null && actual.paid !== paid) {
    const said = `the probe says paid ${actual.paid}`;
    return { field: 'paid', expected: `paid ${paid}`, actual: said, isTooMuch: actual.paid };
  }
  if (!fulfilled.includes(actual.fulfilled)) {
    const expected = `fulfilled ${fulfilled.join(' or ')}`;
    const said = `the probe says fulfilled ${actual.fulfilled}`;
    const isTooMuch = actual.fulfilled > Math.max(...fulfilled);
    return { field: 'fulfilled', expected, actual: said, isTooMuch };
  }
  if (refundedMinor !== null && actual.refundedMinor !== null && actual.refundedMinor !== refundedMinor) {
    const [expected, said] = [`refunded_minor ${refundedMinor}`, `refunded_minor ${actual.refundedMinor}`];
    const isTooMuch = actual.refundedMinor > refundedMinor;
    return { field: 'refunded_minor', expected, actual: `the probe says ${said}`, isTooMuch };
  }
  return null;
}
