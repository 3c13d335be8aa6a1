import type { DifferentialEngine } from './differential-engines.ts';
import type { StoreCall } from './model-store.ts';

/** What a call returned, or how it was refused. */
export type CallOutcome = Readonly<Record<string, unknown>>;

interface KnownDifference {
  readonly engine: DifferentialEngine['name'];
  readonly reason: string;
  readonly isOf: (call: StoreCall, modelled: CallOutcome) => boolean;
  /** What the engine says instead, or what is compared instead. */
  readonly instead: 'all pages' | 'nothing' | ((modelled: CallOutcome) => CallOutcome);
}

/**
 * Where an engine is not as AWS's documentation says: the Developer Guide of queries ("Paginating table query results",
 * "Filter expressions") and the API Reference of `TransactWriteItems` and `Query`. There the other engine is as the model
 * is. The first that is of a call counts.
 */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    engine: 'DynamoDB Local',
    reason:
      'It refuses a transaction with an update of a wrong type. AWS cancels it: one reason is ValidationError.',
    isOf: (_, { CancellationReasons: reasons }) =>
      ((reasons ?? []) as { Code: string }[]).some(({ Code }) => Code === 'ValidationError'),
    instead: () => ({ name: 'ValidationException' }),
  },
  {
    engine: 'DynamoDB Local',
    reason:
      'At the only sort key that could be the last, a query of the table ends. AWS goes on after each full page.',
    isOf: (call, { LastEvaluatedKey: lastKey }) => isAtEnd(call, lastKey),
    instead: ({ LastEvaluatedKey: _, ...modelled }) => modelled,
  },
  {
    engine: 'DynamoDB Local',
    reason: 'So it refuses to go on there.',
    isOf: (call) => isAtEnd(call, call.input.ExclusiveStartKey),
    instead: () => ({ name: 'ValidationException' }),
  },
  {
    engine: 'DynamoDB Local',
    reason: 'A page ends after the item that makes it too large. AWS returns a result that fits within 1 MB.',
    isOf: ({ input }) => String(valuesOf(input)[':pk']).endsWith('#heavy'),
    instead: 'all pages',
  },
  {
    engine: 'DynamoDB Local',
    reason: 'A page is full when a filter has kept so much. AWS filters what a full page has.',
    isOf: ({ input }) => input.FilterExpression !== undefined && input.Limit !== undefined,
    instead: 'all pages',
  },
  {
    engine: 'DynamoDB Local',
    reason: 'Entries of an index with the same sort key have an order of their own, which AWS leaves open.',
    isOf: ({ input }) => input.IndexName === 'due' && input.ExclusiveStartKey === undefined,
    instead: 'all pages',
  },
  {
    engine: 'DynamoDB Local',
    reason: 'So it goes on elsewhere among them.',
    isOf: ({ input }) => input.IndexName === 'due' && input.ExclusiveStartKey !== undefined,
    instead: 'nothing',
  },
  {
    engine: 'dynoxide',
    reason:
      'The item that a page has no more space for counts as scanned. AWS counts the items before the filter.',
    isOf: ({ input }, { LastEvaluatedKey: lastKey, ScannedCount: scanned }) =>
      lastKey !== undefined && scanned !== input.Limit,
    instead: (modelled) => ({ ...modelled, ScannedCount: Number(modelled.ScannedCount) + 1 }),
  },
];

/** What is compared with an answer of an engine in the place of the model's; null where nothing is known of it. */
export function insteadOf(
  engine: DifferentialEngine['name'],
  call: StoreCall,
  modelled: CallOutcome,
): KnownDifference['instead'] | null {
  return (
    KNOWN_DIFFERENCES.find((each) => each.engine === engine && each.isOf(call, modelled))?.instead ?? null
  );
}

function valuesOf({
  ExpressionAttributeValues: values,
}: StoreCall['input']): Readonly<Record<string, unknown>> {
  return (values ?? {}) as Record<string, unknown>;
}

/** Whether a key of the table has the sort key after which no other can follow, by condition and direction alone. */
function isAtEnd({ input }: StoreCall, key: unknown): boolean {
  const isForward = input.ScanIndexForward !== false;
  const last = isForward ? /(?:<=|[^<>]=|AND) (:k)$/ : /(?:>=|[^<>]=|BETWEEN) (:k2?)/;
  const [, name] = last.exec(String(input.KeyConditionExpression)) ?? [];
  const { sk } = (key ?? {}) as { sk?: string };
  return input.IndexName === undefined && name !== undefined && sk === valuesOf(input)[name];
}
