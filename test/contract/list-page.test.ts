import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { pageOf, resourceQuery, viewPage } from '../../shared/contract/list-page.ts';
import { allOperations, operations } from '../../shared/contract/operations.ts';
import { RESOURCE_NAMES, RESOURCES } from '../../shared/domain/resource.ts';
import { camelCase } from '../../shared/http/camel-cased.ts';
import { acceptedQuery, queryRefusalsOf } from '../support/world/refusals.ts';

const { listPayments, listRefunds, listPaymentLinks } = operations;
const LISTS = [listPayments, listRefunds, listPaymentLinks];

describe.each(LISTS)('the query of $id', (row) => {
  it('has 20 items by default', () => {
    expect(acceptedQuery(row, {})).toMatchObject({ limit: 20 });
  });

  it.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('accepts the limit %s as a number', (sent, limit) => {
    expect(acceptedQuery(row, { limit: sent })).toMatchObject({ limit });
  });

  it.each([
    ['0', 'min'],
    ['-1', 'min'],
    ['101', 'max'],
    ['999999999', 'max'],
    ['', 'format'],
    ['1.5', 'format'],
    ['1e2', 'format'],
    ['0x10', 'format'],
    [' 5', 'format'],
    ['many', 'format'],
    ['9'.repeat(400), 'format'],
  ])('refuses the limit %j', (limit, code) => {
    expect(queryRefusalsOf(row, { limit })).toContain(`limit: ${code}`);
  });

  it('accepts a cursor of up to 512 characters unchanged', () => {
    const after = 'c'.repeat(512);
    expect(acceptedQuery(row, { after })).toMatchObject({ after });
    expect(queryRefusalsOf(row, { after: '' })).toEqual(['after: too_short']);
    expect(queryRefusalsOf(row, { after: `${after}c` })).toEqual(['after: too_long']);
  });

  it('refuses an unknown status', () => {
    expect(queryRefusalsOf(row, { status: 'lost' })).toEqual(['status: enum']);
  });

  it('refuses an unknown parameter', () => {
    expect(queryRefusalsOf(row, { page: '2' })).toEqual(['page: unknown']);
  });
});

describe('the filters of contract §13', () => {
  it.each(RESOURCE_NAMES)('are those of the row of the resource: %s', (name) => {
    const { plural, filters } = RESOURCES[name];
    const prefixes = 'prefixFilters' in RESOURCES[name] ? (RESOURCES[name].prefixFilters as object) : {};
    const path = `/api/v1/${plural.replaceAll('_', '-')}`;
    const list = allOperations.find((row) => row.method === 'GET' && row.path === path);
    const entries =
      list?.query !== undefined && 'entries' in list.query ? (list.query.entries as object) : {};
    const names = Object.keys(entries).filter((field) => !(field in resourceQuery));
    expect(names.map((field) => camelCase(field)).toSorted()).toEqual(
      Object.keys({ ...filters, ...prefixes }).toSorted(),
    );
  });

  it.each([
    [listPayments, { status: 'requires_action', method: 'promptpay', reference: 'order-1' }],
    [listRefunds, { status: 'requested', payment_id: 'pay_01h455vb4pex5vsknk084sn02q' }],
    [listPaymentLinks, { status: 'active' }],
  ] as const)('are those of $id', (row, filters) => {
    expect(acceptedQuery(row, filters)).toMatchObject(filters);
  });

  it('refuse an unknown method', () => {
    expect(queryRefusalsOf(listPayments, { method: 'cash' })).toEqual(['method: enum']);
  });
});

describe('a page', () => {
  const schema = pageOf(v.string());

  it('has more items if it has a next cursor', () => {
    const page = viewPage({ data: [1, 2], nextCursor: 'c' }, String);
    expect(page).toEqual({ data: ['1', '2'], has_more: true, next_cursor: 'c' });
    expect(v.is(schema, page)).toBe(true);
  });

  it('is the last one without a next cursor', () => {
    const page = viewPage({ data: [], nextCursor: null }, String);
    expect(page).toEqual({ data: [], has_more: false, next_cursor: null });
    expect(v.is(schema, page)).toBe(true);
  });
});
