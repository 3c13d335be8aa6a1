import { describe, expect, test, vi } from 'vitest';
import { EXAMPLES } from '../../shared/contract/examples.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { printHttpFile } from '../../shared/docs/http-file.ts';
import { buildPostmanCollection } from '../../shared/docs/postman-collection.ts';
import { documentAt } from '../../shared/docs/service-document.ts';

const BASE_URL = 'https://pay.example.com';
const rows = Object.values<Operation>(operations);
const document = documentAt(BASE_URL);

/** `/api/v1/payments/{{payment_id}}` and `/api/v1/payments/{id}` are one address. */
const addressOf = (method: string, path: string) => `${method} ${path.replaceAll(/\{+\w+\}+/g, '{}')}`;
const addresses = rows.map(({ method, path }) => addressOf(method, path)).toSorted();

interface CollectionItem {
  readonly request: {
    readonly method: string;
    readonly url: { readonly raw: string };
    readonly header: readonly { readonly key: string; readonly value: string }[];
    readonly auth?: { readonly type: string };
    readonly body?: { readonly raw?: string; readonly mode: string };
  };
  readonly response: readonly { readonly body: string }[];
}
interface Collection {
  readonly item: readonly { readonly name: string; readonly item: readonly CollectionItem[] }[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
}
// The files are of a day on which their times are those of the examples: see samples.test.ts.
vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 2) });
const collection = buildPostmanCollection(document) as Collection;
const items = collection.item.flatMap(({ item }) => item);
const httpFile = printHttpFile(document);
vi.useRealTimers();
const requests = httpFile.split('\n\n### ').slice(1);

const pathOf = ({ request }: CollectionItem) => request.url.raw.replace('{{baseUrl}}', '');
const itemOf = ({ method, path }: Operation) =>
  items.find((item) => addressOf(item.request.method, pathOf(item)) === addressOf(method, path));

/** The lines of the request of a row. */
function requestOf({ method, path }: Operation): string[] {
  const found = requests.find((text) => {
    const [, verb = '', url = ''] = /^(GET|POST|PATCH|DELETE) \{\{baseUrl\}\}(\S+)$/m.exec(text) ?? [];
    return addressOf(verb, url) === addressOf(method, path);
  });
  return String(found).split('\n');
}

describe.each<[string, () => string[]]>([
  ['the Postman collection', () => items.map((item) => addressOf(item.request.method, pathOf(item)))],
  [
    'the .http file',
    () =>
      [...httpFile.matchAll(/^(GET|POST|PATCH|DELETE) \{\{baseUrl\}\}(\S+)$/gm)].map(
        ([, verb = '', url = '']) => addressOf(verb, url),
      ),
  ],
])('%s', (_name, found) => {
  test('has a request for every operation of the table, and no other', () => {
    expect(found().toSorted()).toEqual(addresses);
  });
});

describe('a request of either file', () => {
  test.each(Object.entries<Operation>(operations))('%s has its headers and its example', (name, row) => {
    const item = itemOf(row);
    const lines = requestOf(row);
    const headers = Object.fromEntries(item?.request.header.map(({ key, value }) => [key, value]) ?? []);
    const body = lines.slice(lines.indexOf('') + 1).join('\n');
    expect(lines).toContain(`# @name ${name}`);
    expect(item?.request.auth?.type === 'noauth').toBe(row.permission === null);
    expect(lines.includes('Authorization: Bearer {{key}}')).toBe(row.permission !== null);
    expect('Idempotency-Key' in headers).toBe(row.idempotent);
    expect(lines.filter((line) => /^Idempotency-Key: \S+-\{\{\$timestamp\}\}$/.test(line))).toHaveLength(
      row.idempotent ? 1 : 0,
    );
    if (row.idempotent) {
      expect(JSON.parse(item?.request.body?.raw ?? '')).toEqual(row.example ?? {});
      expect(JSON.parse(body)).toEqual(row.example ?? {});
    }
  });

  test('the collection has the recorded responses', () => {
    const [saved] = itemOf(operations.createPayment)?.response ?? [];
    expect(JSON.parse(saved?.body ?? '')).toEqual(EXAMPLES['payments.CreatePayment']);
  });

  test('every variable that is named has a value to set', () => {
    const named = new Set(
      [...`${JSON.stringify(items)}\n${httpFile}`.matchAll(/\{\{(\w+)\}\}/g)].map(([, variable]) => variable),
    );
    const inFile = [...httpFile.matchAll(/^@(\w+) = \S+$/gm)].map(([, variable]) => variable);
    const inCollection = collection.variable.flatMap(({ key, value }) => (value === '' ? [] : [key]));
    expect(inFile.toSorted()).toEqual([...named].toSorted());
    expect(inCollection.toSorted()).toEqual([...named].toSorted());
    expect(collection.variable[0]).toEqual({ key: 'baseUrl', value: BASE_URL });
  });

  test('holds no key but a placeholder', () => {
    expect(`${JSON.stringify(collection.variable)}${httpFile}`.match(/pg_(test|live)_\w+/g)).toEqual([
      'pg_test_your_key',
      'pg_test_your_key',
    ]);
  });
});
