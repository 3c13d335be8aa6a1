import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { buildOpenApi } from '../../shared/contract/openapi.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { allOperations } from '../../shared/contract/operations.ts';
import { toFieldErrors } from '../../shared/http/field-errors.ts';
import { withoutNulls } from '../../shared/http/left-out.ts';

type Fields = Readonly<Record<string, unknown>>;

const contract = readFileSync('shared/CONTRACT.md', 'utf8');
const { components } = JSON.parse(JSON.stringify(buildOpenApi('https://pay.example.com')));

/** The rows of a table of the contract, each as its first two cells. */
function tableOf(part: string): [string, string][] {
  const text = contract.split(`<!-- ${part} -->`)[1]?.split(`<!-- /${part} -->`)[0] ?? '';
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line.split(' | ')[1] ?? '']);
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
}

const required = new Map(tableOf('bodies').map(([operation, fields]) => [namesIn(operation)[0], fields]));
const withBody = allOperations.flatMap((row) =>
  row.body === undefined || !row.idempotent || row.method === 'DELETE'
    ? []
    : [[row.id, { ...row, body: row.body }] as const],
);

function errorsOf({ body }: Required<Pick<Operation, 'body'>>, sent: unknown): string[] {
  const value = withoutNulls(body, sent);
  const { issues = [] } = v.safeParse(body, value);
  return toFieldErrors(body, issues, value).map(({ field, code }) => `${field}: ${code}`);
}

/** A copy with the field at a dotted path set; left out where the value is undefined. */
function withField(object: Fields, path: string, value: unknown): Fields {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? value : withField(Object(object[first]), rest.join('.'), value);
  return Object.fromEntries(
    Object.entries({ ...object, [first]: inner }).filter(([, field]) => field !== undefined),
  );
}

describe.each(withBody)('the contract says what the body of %s requires', (_id, row) => {
  const stated = required.get(`${row.method} ${row.path}`) ?? 'no row';
  const example: Fields = row.example ?? {};
  const paths = stated.startsWith('at least one of') ? [] : namesIn(stated);

  test('without any of it, the body is refused', () => {
    expect(stated).not.toBe('no row');
    for (const path of paths) {
      expect(errorsOf(row, withField(example, path, undefined)).join()).toMatch(/: required/);
      expect(errorsOf(row, withField(example, path, null)), `${path}: null`).not.toEqual([]);
    }
    if (stated.startsWith('at least one of')) {
      expect(errorsOf(row, {})).not.toEqual([]);
    }
  });

  test('all else may be left out, or be null', () => {
    const top = paths.filter((path) => !path.includes('.'));
    const entries = Object.keys(
      (row.body as { entries?: object; pipe?: { entries?: object }[] }).entries ?? {},
    );
    const least = Object.fromEntries(Object.entries(example).filter(([name]) => top.includes(name)));
    const sent = stated.startsWith('at least one of') ? example : least;
    expect(errorsOf(row, sent)).toEqual([]);
    const others = entries.filter((name) => !(name in sent));
    expect(errorsOf(row, { ...sent, ...Object.fromEntries(others.map((name) => [name, null])) })).toEqual([]);
  });
});

test('the contract says of every field of a response whether it can be null', () => {
  const stated = tableOf('nulls').flatMap(([objects, fields]) =>
    namesIn(objects).flatMap((name) => namesIn(fields).map((field) => `${name}.${field}`)),
  );
  const nullable = Object.entries<{ properties?: Record<string, object>; required?: string[] }>(
    components.schemas,
  ).flatMap(([name, { properties = {}, required: always = [] }]) =>
    Object.entries(properties)
      .filter(([, field]) => /"(?:type|const)":(?:"null"|\[[^\]]*"null")/.test(JSON.stringify(field)))
      .map(([field]) => ({ path: `${name}.${field}`, isAlways: always.includes(field) })),
  );
  expect(nullable.length).toBeGreaterThan(50);
  expect(stated.toSorted()).toEqual(nullable.map(({ path }) => path).toSorted());
  expect(nullable.filter(({ isAlways }) => !isAlways)).toEqual([]);
});

const instants = allOperations.flatMap((row) =>
  (['body', 'query'] as const).flatMap((part) => {
    const { entries = {} } = (row[part] ?? {}) as { readonly entries?: Record<string, v.GenericSchema> };
    return Object.entries(entries)
      .filter(([, schema]) => /"date-time"/.test(JSON.stringify(schema)))
      .map(([name, schema]) => [`${name} of ${row.id}`, schema] as const);
  }),
);

test('every instant of a request is looked at', () => {
  expect(instants.length).toBeGreaterThan(10);
});

test.each(instants)('%s takes an instant in every form of RFC 3339', (_name, schema) => {
  for (const [written, at] of [
    ['2027-01-02t03:04:05z', '2027-01-02T03:04:05.000Z'],
    ['2027-01-02T03:04:05z', '2027-01-02T03:04:05.000Z'],
    ['2027-01-02t10:04:05.5+07:00', '2027-01-02T03:04:05.500Z'],
  ]) {
    expect(v.safeParse(schema, written).output, written).toBe(at);
  }
});

test.each<[string, boolean]>([
  ['Siam Pay 2', true],
  ['x'.repeat(80), true],
  ['x'.repeat(81), false],
  ['', false],
  ['a\u0007b', false],
  [' Siam Pay', false],
  ['Siam Pay\u3000', false],
  ['Siam\nPay', false],
  [' ', false],
  ['ส', true],
])('the provider %j of a settlement, as the document says too: taken is %s', (provider, isTaken) => {
  const row = allOperations.find(({ id }) => id === 'testkit.SimulateSettlement');
  expect(errorsOf({ body: row?.body ?? v.never() }, { provider }).length === 0).toBe(isTaken);
  const { pattern, maxLength } = components.schemas.SimulateSettlementRequest.properties.provider;
  expect(new RegExp(pattern, 'u').test(provider) && provider.length <= maxLength).toBe(isTaken);
});
