import type { EventView } from '../../contract/events.ts';
import type { PaymentLinkView } from '../../contract/payment-links.ts';
import type { PaymentView } from '../../contract/payments.ts';
import type { SettlementView } from '../../contract/settlements.ts';
import { addressOfId } from '../../story/addresses.ts';
import { formatMoney, isMoney, type ShownMoney } from '../../story/amounts.ts';

/** A field of a resource that is shown as a line. */
export interface Fact {
  readonly name: string;
  readonly kind: 'id' | 'money' | 'text' | 'time';
  readonly value: unknown;
}

/** What tells what a resource is. */
type Titled =
  | Pick<PaymentView, 'id' | 'amount'>
  | Pick<PaymentLinkView, 'id' | 'amount' | 'amount_type' | 'min_amount' | 'max_amount'>
  | Pick<SettlementView, 'id' | 'expected'>
  | Pick<EventView, 'id' | 'type'>;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The fields of a resource that say something in a line: not the empty ones, nor those that hold objects. */
export function factsOf(resource: object): Fact[] {
  return Object.entries(resource).flatMap(([name, value]) => {
    const kind = kindOf(value);
    return kind === null ? [] : [{ name, kind, value }];
  });
}

function kindOf(value: unknown): Fact['kind'] | null {
  if (isMoney(value)) {
    return 'money';
  }
  if (value === null || value === '' || typeof value === 'object') {
    return null;
  }
  if (typeof value === 'string' && TIMESTAMP.test(value)) {
    return 'time';
  }
  return typeof value === 'string' && /^[a-z]{3}_\w{26}$/.test(value) && addressOfId(value) !== null
    ? 'id'
    : 'text';
}

/** What a resource is called on its page: its amount, or what else tells most. */
export function titleOf(resource: Titled): string {
  if ('amount_type' in resource && resource.amount_type === 'open') {
    return openAmountText(resource.min_amount, resource.max_amount);
  }
  if ('type' in resource) {
    return resource.type;
  }
  const money = 'expected' in resource ? resource.expected : resource.amount;
  return money === null ? resource.id : formatMoney(money);
}

function openAmountText(min: ShownMoney | null, max: ShownMoney | null): string {
  if (min !== null) {
    return max === null ? `${formatMoney(min)} or more` : `${formatMoney(min)} to ${formatMoney(max)}`;
  }
  return max === null ? 'Any amount' : `Up to ${formatMoney(max)}`;
}
