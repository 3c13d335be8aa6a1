import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import { addressOfId } from '../../story/addresses.ts';
import { formatMoney, isMoney, type ShownMoney } from '../../story/amounts.ts';
import type { ResourceGetId } from '../../story/lists.ts';
import type { BodyOf } from '../../story/operation-id.ts';
import { fieldText } from './field-text.ts';
import { showTexts } from './show-texts.ts';

/** A field of a resource that is shown as a line. */
export interface Fact {
  readonly name: string;
  readonly kind: 'id' | 'money' | 'text' | 'time';
  /** A text is in words already. */
  readonly value: unknown;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The fields of a resource that say something in a line: not the empty ones, nor those that hold objects. */
export function factsOf(resource: object): Fact[] {
  return Object.entries(resource).flatMap(([name, held]) => {
    const value = name === 'refunded_minor' ? moneyOf(held, resource) : held;
    const kind = kindOf(value);
    const shown = kind === 'text' ? fieldText(name, value, resource) : value;
    return kind === null ? [] : [{ name, kind, value: shown }];
  });
}

/** Money whose currency is that of the resource's amount. */
function moneyOf(minor: unknown, resource: object): ShownMoney {
  const { amount }: { readonly amount?: ShownMoney } = Object(resource);
  return { currency: amount?.currency ?? BALANCE_CURRENCY, minor: Number(minor) };
}

function kindOf(value: unknown): Fact['kind'] | null {
  if (isMoney(value)) {
    return 'money';
  }
  // What is not so says nothing.
  if (value === null || value === false || value === '' || typeof value === 'object') {
    return null;
  }
  if (typeof value === 'string' && TIMESTAMP.test(value)) {
    return 'time';
  }
  return typeof value === 'string' && /^[a-z]{3}_\w{26}$/.test(value) && addressOfId(value) !== null
    ? 'id'
    : 'text';
}

type Titled = { readonly [Id in ResourceGetId]: BodyOf<Id> };
const byAmount = ({ amount }: { readonly amount: ShownMoney }) => formatMoney(amount);

/** What a resource is called on its page: its amount, or what else tells most. */
const TITLES: { readonly [Id in ResourceGetId]: (shown: Titled[Id]) => string } = {
  'payments.GetPayment': byAmount,
  'payments.GetRefund': byAmount,
  'checkout.GetPaymentLink': ({ amount, min_amount: min, max_amount: max }) =>
    amount === null ? openAmountText(min, max) : formatMoney(amount),
  'settlements.GetSettlement': ({ expected }) => formatMoney(expected),
  'payouts.GetPayout': byAmount,
  'events.GetEvent': ({ type }) => type,
};

/** @param getId the operation that has retrieved it */
export function titleOf<Id extends ResourceGetId>(getId: Id, shown: Titled[Id]): string {
  return TITLES[getId](shown);
}

function openAmountText(min: ShownMoney | null, max: ShownMoney | null): string {
  const { between, atLeast, atMost, any } = showTexts.openAmount;
  if (min !== null) {
    return max === null ? atLeast(formatMoney(min)) : between(formatMoney(min), formatMoney(max));
  }
  return max === null ? any : atMost(formatMoney(max));
}
