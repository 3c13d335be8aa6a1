import { BALANCE_CURRENCY } from '../../domain/balance.ts';
import type { ResourceName } from '../../domain/resource.ts';
import { formatMoney } from '../../story/amounts.ts';
import { methodText, statusText } from '../../story/status-words.ts';
import { bangkokTime } from '../../story/times.ts';
import { factName } from '../show/show-texts.ts';
import { listViewTexts } from './list-view-texts.ts';

/** The filter whose value is an amount in satang. */
export const AMOUNT_FILTER = 'amount_minor';

/** A filter in words. The address has its name in the API. */
export function filterName(filter: string): string {
  const known: Readonly<Record<string, string>> = listViewTexts.filterNames;
  return known[filter] ?? factName(filter);
}

/** The value of a filter in words. @param resource what is listed; null if it is no resource */
export function filterValue(filter: string, value: string, resource: ResourceName | null): string {
  if (filter === 'status' && resource !== null) {
    return statusText(resource, value);
  }
  if (filter === AMOUNT_FILTER && /^\d+$/.test(value)) {
    return formatMoney({ currency: BALANCE_CURRENCY, minor: Number(value) });
  }
  if (filter.startsWith('created_') && !Number.isNaN(Date.parse(value))) {
    return bangkokTime(new Date(value), new Date());
  }
  return filter === 'method' ? methodText(value) : value;
}
