import type { PaymentMethod } from '../domain/payment-method.ts';
import type { EntityOf, ReportedName } from '../domain/resource.ts';
import { inLanguage } from './language.ts';

type StatusTexts = { readonly [Name in ReportedName]: Readonly<Record<EntityOf<Name>['status'], string>> };

const EN = {
  statuses: {
    payment: {
      created: 'Not started',
      requires_action: 'Waiting for the payer',
      processing: 'Processing',
      succeeded: 'Paid',
      failed: 'Failed',
      expired: 'Expired',
      canceled: 'Canceled',
    },
    refund: {
      requested: 'Requested',
      approved: 'Approved',
      processing: 'On its way',
      succeeded: 'Refunded',
      failed: 'Failed',
      rejected: 'Rejected',
      canceled: 'Canceled',
    },
    paymentLink: { active: 'Active', disabled: 'Disabled' },
    payout: { pending: 'On its way to your bank', paid: 'Paid out', failed: 'Failed', returned: 'Returned' },
    settlement: { matched: 'Matched', mismatched: 'Wrong amount' },
    webhookEndpoint: { enabled: 'Enabled', disabled: 'Disabled' },
  } satisfies StatusTexts as StatusTexts,
  paidLate: 'Paid late',
  wrongAmount: 'Wrong amount',
  methods: {
    promptpay: 'PromptPay',
    truemoney: 'TrueMoney',
    linepay: 'LINE Pay',
    shopeepay: 'ShopeePay',
    bank_transfer: 'Bank transfer',
    direct_debit: 'Direct debit',
    installment: 'Instalments',
  } satisfies Record<PaymentMethod, string>,
};

const TH: typeof EN = {
  statuses: {
    payment: {
      created: 'ยังไม่เริ่มชำระ',
      requires_action: 'รอชำระเงิน',
      processing: 'กำลังดำเนินการ',
      succeeded: 'ชำระแล้ว',
      failed: 'ไม่สำเร็จ',
      expired: 'หมดเวลา',
      canceled: 'ยกเลิกแล้ว',
    },
    refund: {
      requested: 'ขอคืนเงินแล้ว',
      approved: 'อนุมัติแล้ว',
      processing: 'กำลังคืนเงิน',
      succeeded: 'คืนเงินแล้ว',
      failed: 'คืนเงินไม่สำเร็จ',
      rejected: 'ไม่อนุมัติ',
      canceled: 'ยกเลิกแล้ว',
    },
    paymentLink: { active: 'ใช้งานได้', disabled: 'ปิดใช้งาน' },
    payout: { pending: 'กำลังโอนเข้าบัญชี', paid: 'โอนแล้ว', failed: 'โอนไม่สำเร็จ', returned: 'เงินถูกตีกลับ' },
    settlement: { matched: 'ยอดตรง', mismatched: 'ยอดไม่ตรง' },
    webhookEndpoint: { enabled: 'เปิดใช้งาน', disabled: 'ปิดใช้งาน' },
  },
  paidLate: 'ชำระหลังหมดเวลา',
  wrongAmount: 'ยอดไม่ตรง',
  methods: {
    promptpay: 'พร้อมเพย์',
    truemoney: 'ทรูมันนี่ วอลเล็ท',
    linepay: 'LINE Pay',
    shopeepay: 'ShopeePay',
    bank_transfer: 'โอนผ่านธนาคาร',
    direct_debit: 'หักบัญชี',
    installment: 'ผ่อนชำระ',
  },
};

const texts = inLanguage({ en: EN, th: TH });

/** What a payment says of itself beside its status. */
interface Circumstances {
  readonly late?: boolean | undefined;
  readonly received?: object | null | undefined;
}

/** A status as a person says it; the status itself, where it is not known. */
export function statusText(
  name: ReportedName,
  status: string,
  { late, received }: Circumstances = {},
): string {
  if (name === 'payment' && status === 'succeeded' && late === true) {
    return texts.paidLate;
  }
  if (name === 'payment' && status === 'processing' && received) {
    return texts.wrongAmount;
  }
  const known: Readonly<Record<string, string>> = texts.statuses[name];
  return known[status] ?? status.replaceAll('_', ' ');
}

/** A payment method by the name that payers know; the method itself, where it is not known. */
export function methodText(method: string): string {
  return (texts.methods as Readonly<Record<string, string>>)[method] ?? method.replaceAll('_', ' ');
}
