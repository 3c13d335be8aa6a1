import { describe, expect, test } from 'vitest';
import { filterName, filterValue } from '../../../shared/console/list/filter-words.ts';

describe('a filter of a list', () => {
  test.each([
    ['status', 'status'],
    ['created_from', 'created from'],
    ['value_date', 'value date'],
    ['amount_minor', 'amount'],
    ['a_new_one', 'a new one'],
  ])('%s is called %s', (filter, name) => {
    expect(filterName(filter)).toBe(name);
  });

  test.each([
    ['status', 'requires_action', 'payment', 'Waiting for the payer'],
    ['status', 'matched', 'settlement', 'Matched'],
    ['method', 'truemoney', 'payment', 'TrueMoney'],
    ['amount_minor', '129900', 'payment', '฿1,299.00'],
    ['amount_minor', 'x', 'payment', 'x'],
    ['type', 'payment.created', null, 'payment.created'],
  ] as const)('%s %s of a %s is shown as a person says it', (filter, value, resource, shown) => {
    expect(filterValue(filter, value, resource)).toBe(shown);
  });
});
