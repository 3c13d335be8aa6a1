import { ALL_EVENTS } from '../domain/endpoint-limits.ts';
import type { EventType, EventTypeOf, ReportedName } from '../domain/resource.ts';
import { inLanguage } from './language.ts';

/** The events of each kind of resource. A type without words does not compile. */
type EventTexts = { readonly [Name in ReportedName]: Readonly<Record<EventTypeOf<Name>, string>> };

const EN = {
  all: 'All events',
  allOf: (group: string) => `${group}: all`,
  one: (group: string, event: string) => `${group}: ${event}`,
  groups: {
    payment: 'Payments',
    refund: 'Refunds',
    paymentLink: 'Payment links',
    payout: 'Payouts',
    settlement: 'Settlements',
    webhookEndpoint: 'Webhook endpoints',
  } satisfies Record<ReportedName, string> as Record<ReportedName, string>,
  events: {
    payment: {
      'payment.created': 'Created',
      'payment.requires_action': 'Waiting for the payer',
      'payment.processing': 'Processing',
      'payment.amount_mismatch': 'Wrong amount',
      'payment.succeeded': 'Paid',
      'payment.failed': 'Failed',
      'payment.expired': 'Expired',
      'payment.canceled': 'Canceled',
    },
    refund: {
      'refund.requested': 'Requested',
      'refund.approved': 'Approved',
      'refund.rejected': 'Rejected',
      'refund.processing': 'On its way',
      'refund.succeeded': 'Refunded',
      'refund.failed': 'Failed',
      'refund.canceled': 'Canceled',
    },
    paymentLink: {
      'payment_link.created': 'Created',
      'payment_link.disabled': 'Disabled',
      'payment_link.overpaid': 'Paid too often',
    },
    payout: {
      'payout.created': 'On its way to your bank',
      'payout.paid': 'Paid out',
      'payout.returned': 'Returned',
      'payout.failed': 'Failed',
    },
    settlement: {
      'settlement.matched': 'Matched',
      'settlement.mismatched': 'Wrong amount',
    },
    webhookEndpoint: {
      'webhook_endpoint.created': 'Created',
      'webhook_endpoint.updated': 'Changed',
      'webhook_endpoint.deleted': 'Deleted',
      'webhook_endpoint.disabled': 'Disabled',
    },
  } satisfies EventTexts as EventTexts,
};

const TH: typeof EN = {
  all: 'ทุกเหตุการณ์',
  allOf: (group) => `${group}: ทั้งหมด`,
  one: (group, event) => `${group}: ${event}`,
  groups: {
    payment: 'รายการชำระเงิน',
    refund: 'การคืนเงิน',
    paymentLink: 'ลิงก์ชำระเงิน',
    payout: 'การโอนเงินเข้าบัญชี',
    settlement: 'การสรุปยอด',
    webhookEndpoint: 'ปลายทาง webhook',
  },
  events: {
    payment: {
      'payment.created': 'สร้างแล้ว',
      'payment.requires_action': 'รอชำระเงิน',
      'payment.processing': 'กำลังดำเนินการ',
      'payment.amount_mismatch': 'ยอดไม่ตรง',
      'payment.succeeded': 'ชำระแล้ว',
      'payment.failed': 'ไม่สำเร็จ',
      'payment.expired': 'หมดเวลา',
      'payment.canceled': 'ยกเลิกแล้ว',
    },
    refund: {
      'refund.requested': 'ขอคืนเงินแล้ว',
      'refund.approved': 'อนุมัติแล้ว',
      'refund.rejected': 'ไม่อนุมัติ',
      'refund.processing': 'กำลังคืนเงิน',
      'refund.succeeded': 'คืนเงินแล้ว',
      'refund.failed': 'คืนเงินไม่สำเร็จ',
      'refund.canceled': 'ยกเลิกแล้ว',
    },
    paymentLink: {
      'payment_link.created': 'สร้างแล้ว',
      'payment_link.disabled': 'ปิดใช้งาน',
      'payment_link.overpaid': 'ได้รับเงินเกินจำนวนครั้ง',
    },
    payout: {
      'payout.created': 'กำลังโอนเข้าบัญชี',
      'payout.paid': 'โอนแล้ว',
      'payout.returned': 'เงินถูกตีกลับ',
      'payout.failed': 'โอนไม่สำเร็จ',
    },
    settlement: {
      'settlement.matched': 'ยอดตรง',
      'settlement.mismatched': 'ยอดไม่ตรง',
    },
    webhookEndpoint: {
      'webhook_endpoint.created': 'สร้างแล้ว',
      'webhook_endpoint.updated': 'แก้ไขแล้ว',
      'webhook_endpoint.deleted': 'ลบแล้ว',
      'webhook_endpoint.disabled': 'ปิดใช้งาน',
    },
  },
};

const texts = inLanguage({ en: EN, th: TH });

/** The events about one kind of resource, in words. */
export interface EventGroup {
  readonly title: string;
  /** The filter that takes all of them, and those that are still to come. */
  readonly family: string;
  readonly events: readonly { readonly type: EventType; readonly text: string }[];
}

/** Every event that an endpoint can receive, by what it is about. */
export const EVENT_GROUPS: readonly EventGroup[] = (Object.keys(texts.events) as ReportedName[]).map(
  (name) => {
    const events = Object.entries(texts.events[name]).map(([type, text]) => ({
      type: type as EventType,
      text,
    }));
    return { title: texts.groups[name], family: String(events[0]?.type).replace(/\..*/, '.*'), events };
  },
);

/** What an endpoint receives, in words: `All events`, `Payments: all`, `Refunds: Refunded`. */
export function filterTexts(filters: readonly string[]): string[] {
  if (filters.includes(ALL_EVENTS)) {
    return [texts.all];
  }
  return EVENT_GROUPS.flatMap(({ title, family, events }) =>
    filters.includes(family)
      ? [texts.allOf(title)]
      : events.filter(({ type }) => filters.includes(type)).map(({ text }) => texts.one(title, text)),
  );
}

/** The types that filters let through. */
export function typesOf(filters: readonly string[]): Set<EventType> {
  const isAll = filters.includes(ALL_EVENTS);
  return new Set(
    EVENT_GROUPS.flatMap(({ family, events }) =>
      events
        .map(({ type }) => type)
        .filter((type) => isAll || filters.includes(family) || filters.includes(type)),
    ),
  );
}

/** The filters that let these types through: a whole group is one filter, which takes later types of it, too. */
export function filtersFor(types: ReadonlySet<EventType>): string[] {
  return EVENT_GROUPS.flatMap(({ family, events }) => {
    const chosen = events.map(({ type }) => type).filter((type) => types.has(type));
    return chosen.length === events.length ? [family] : chosen;
  });
}
