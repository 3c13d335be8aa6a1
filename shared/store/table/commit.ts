import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callTable, type StepName, tableName } from './client.ts';
import type { Key } from './keys.ts';

/** One conditional write, alone or in a transaction. */
export type Write =
  | { readonly put: Condition & { readonly item: Key & Readonly<Record<string, unknown>> } }
  | { readonly update: Condition & { readonly key: Key; readonly expression: string } }
  | { readonly remove: Condition & { readonly key: Key } };

/** The key of the item that a write is about. */
export function keyOf(write: Write): Key {
  return 'put' in write ? write.put.item : 'remove' in write ? write.remove.key : write.update.key;
}

export interface Condition {
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly names?: Readonly<Record<string, string>>;
}

/** `conflict`: nothing was written. `failed` lists the indexes of the writes whose conditions did not hold. */
export type CommitOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly failed: number[] };

const CONFLICT_RETRIES = 8;
const CONFLICT_BACKOFF_MS = 10;

/**
 * Makes all writes or none (DynamoDB TransactWriteItems).
 * The request's token makes the client's own retries harmless. Transactions that only collided are tried again; where a
 * condition did not hold, the caller has to decide again.
 */
export async function commit(writes: readonly Write[], step?: StepName): Promise<CommitOutcome> {
  const TransactItems = writes.map((write) => {
    const [verb, input] = toInput(write);
    return { [verb]: { TableName: tableName(), ...input } };
  });
  try {
    await pastTransactions(() =>
      callTable('TransactWriteItems', { TransactItems, ClientRequestToken: randomUUID() }, step),
    );
    return { kind: 'committed' };
  } catch (error) {
    const failed = unmetConditions(error);
    if (failed.length > 0) {
      return { kind: 'conflict', failed };
    }
    throw error;
  }
}

/** Makes one write by itself, which costs half of a transaction. @returns whether its condition held */
export async function writeOne(write: Write, step?: StepName): Promise<boolean> {
  const [verb, input] = toInput(write);
  try {
    await pastTransactions(() => callTable(`${verb}Item`, input, step));
    return true;
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') {
      throw error;
    }
    return false;
  }
}

/**
 * Sends a write, and retries it with growing pauses while a transaction holds one of its items: DynamoDB then refuses
 * the write, and the client does not retry it.
 */
export async function pastTransactions<Output>(send: () => Promise<Output>): Promise<Output> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isPassing(error) || attempt > CONFLICT_RETRIES) {
        throw error;
      }
    }
    await sleep(CONFLICT_BACKOFF_MS * attempt * (0.5 + Math.random()));
  }
}

const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Whether the same write may succeed a moment later. */
function isPassing(error: unknown): boolean {
  const { name } = error as { name?: string };
  const reasons = cancellationReasons(error);
  const isHeld = name === 'TransactionConflictException' || reasons.some((reason) => PASSING.has(reason));
  return isHeld && unmetConditions(error).length === 0;
}

function unmetConditions(error: unknown): number[] {
  return cancellationReasons(error).flatMap((reason, index) =>
    reason === 'ConditionalCheckFailed' ? [index] : [],
  );
}

function cancellationReasons(error: unknown): string[] {
  const { name, CancellationReasons: reasons } = error as {
    name?: string;
    CancellationReasons?: { Code?: string }[];
  };
  return name === 'TransactionCanceledException'
    ? (reasons ?? []).map((reason) => reason.Code ?? 'None')
    : [];
}

/** A change as DynamoDB takes it, but for the table. */
function toInput(change: Write) {
  if ('put' in change) {
    return ['Put', { Item: change.put.item, ...conditionOf(change.put) }] as const;
  }
  if ('remove' in change) {
    return ['Delete', { Key: change.remove.key, ...conditionOf(change.remove) }] as const;
  }
  const { key, expression } = change.update;
  return ['Update', { Key: key, UpdateExpression: expression, ...conditionOf(change.update) }] as const;
}

function conditionOf({ condition, names, values }: Condition) {
  return {
    ConditionExpression: condition,
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  };
}
