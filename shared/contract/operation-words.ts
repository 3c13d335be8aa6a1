import type { Operation } from './operation.ts';
import { operations } from './operations.ts';

/** The operations that need a key, by their names in the table. */
export type KeyedOperation = {
  [Name in keyof typeof operations]: (typeof operations)[Name]['permission'] extends null ? never : Name;
}[keyof typeof operations];

/** What commands call a collection, where it is not the last word of its path. */
const COLLECTIONS: Readonly<Record<string, string>> = { worlds: 'world' };
/** What commands call an operation, where its path does not say it. */
const OTHERS: Readonly<Partial<Record<KeyedOperation, string>>> = {
  advanceClock: 'advance',
  purgeTestData: 'purge',
  listRequests: 'logs list',
  rotateWebhookSecret: 'endpoints rotate',
};
const VERBS = { POST: 'create', PATCH: 'update', DELETE: 'delete', GET: 'get' } as const;

const KEYED = Object.entries<Operation>(operations).filter(([, { permission }]) => permission !== null) as [
  KeyedOperation,
  Operation,
][];

/** `/api/v1/test/webhooks/sinks/{id}` → `['sinks', '{id}']` */
function segmentsOf({ path }: Operation): string[] {
  return path.replace(/^\/api\/v1\/(?:test\/)?(?:webhooks\/)?/, '').split('/');
}

/** `payment-links` → `links` */
export function collectionName(segment: string): string {
  const name = segment.replace(/.*\W/, '');
  return COLLECTIONS[name] ?? name;
}

const COLLECTION_NAMES: ReadonlySet<string> = new Set(
  KEYED.filter(([, { path }]) => path.endsWith('/{id}')).map(([, row]) =>
    collectionName(String(segmentsOf(row)[0])),
  ),
);

function wordsOf(row: Operation): string {
  const [first = '', ...rest] = segmentsOf(row);
  const collection = collectionName(first);
  const action = rest.findLast((segment) => !segment.startsWith('{'));
  if (action !== undefined) {
    return row.method === 'POST' && COLLECTION_NAMES.has(action)
      ? `${action} create`
      : `${collection} ${action}`;
  }
  if (!COLLECTION_NAMES.has(collection)) {
    return collection;
  }
  return `${collection} ${row.method === 'GET' && rest.length === 0 ? 'list' : VERBS[row.method]}`;
}

/** The words with which the command line calls an operation, and the operation: `payments create`, `createPayment`. */
export const OPERATION_WORDS: Readonly<Record<string, KeyedOperation>> = Object.fromEntries(
  KEYED.flatMap(([name, row]) => [
    [OTHERS[name] ?? wordsOf(row), name],
    [`call ${name}`, name],
  ]),
);
