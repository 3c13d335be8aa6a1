import { formatMoney, isMoney } from '../../story/amounts.ts';
import type { AnyJson } from '../../story/any-json.ts';
import { addressOfId } from '../../story/id-places.ts';

/** A field of a resource that is shown as a line. */
export interface Fact {
  readonly name: string;
  readonly kind: 'id' | 'money' | 'text' | 'time';
  readonly value: unknown;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The fields of a resource that say something in a line: not the empty ones, nor those that hold objects. */
export function factsOf(json: AnyJson): Fact[] {
  return Object.entries(json as object).flatMap(([name, value]) => {
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
export function titleOf(json: AnyJson): string {
  const { amount, expected, amount_type: amountType, min_amount: min, max_amount: max, type, id } = json;
  if (amountType === 'open') {
    return openAmountText(min, max);
  }
  const money = amount ?? expected;
  return isMoney(money) ? formatMoney(money) : (type ?? id);
}

function openAmountText(min: unknown, max: unknown): string {
  if (isMoney(min)) {
    return isMoney(max) ? `${formatMoney(min)} to ${formatMoney(max)}` : `${formatMoney(min)} or more`;
  }
  return isMoney(max) ? `Up to ${formatMoney(max)}` : 'Any amount';
}
