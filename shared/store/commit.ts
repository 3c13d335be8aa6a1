import { setTimeout as sleep } from 'node:timers/promises';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { documents, tableName } from './client.ts';
import type { Key } from './keys.ts';

/** One conditional write of a transaction. The table is filled in by `commit`. */
export type Write = { readonly put: Put } | { readonly update: Update } | { readonly remove: Remove };

export interface Condition {
  readonly condition: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly names?: Readonly<Record<string, string>>;
}

interface Put extends Condition {
  readonly item: Key & Readonly<Record<string, unknown>>;
}

interface Update extends Condition {
  readonly key: Key;
  readonly expression: string;
}

interface Remove extends Condition {
  readonly key: Key;
}

/** `conflict`: a condition did not hold, so nothing was written. `which` lists the indexes of the failed changes. */
export type CommitOutcome =
  | { readonly kind: 'committed' }
  | { readonly kind: 'conflict'; readonly which: number[] };

const CONFLICT_RETRIES = 8;
const CONFLICT_BACKOFF_MS = 10;

/**
 * Writes all changes or none (DynamoDB TransactWriteItems).
 * The SDK's request token makes its own retries harmless. Transactions that only collided are tried again; where a
 * condition did not hold, the caller has to decide again.
 */
export async function commit(changes: readonly Write[]): Promise<CommitOutcome> {
  const input: TransactWriteCommandInput = { TransactItems: changes.map(toTransactItem) };
  try {
    await pastTransactions(() => documents.send(new TransactWriteCommand(input)));
    return { kind: 'committed' };
  } catch (error) {
    const which = unmetConditions(error);
    if (which.length > 0) {
      return { kind: 'conflict', which };
    }
    throw error;
  }
}

/**
 * Sends a write, and retries it with growing pauses while a transaction holds one of its items: DynamoDB then refuses
 * the write, and the SDK does not retry it.
 */
export async function pastTransactions<Answer>(send: () => Promise<Answer>): Promise<Answer> {
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

/** Whether the condition of a write held. @throws every other error of the write */
export async function isMet(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if ((error as Error).name !== 'ConditionalCheckFailedException') {
      throw error;
    }
    return false;
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
  return cancellationReasons(error).flatMap((reason, place) =>
    reason === 'ConditionalCheckFailed' ? [place] : [],
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

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

function toTransactItem(change: Write): TransactItem {
  const TableName = tableName();
  if ('put' in change) {
    return { Put: { TableName, Item: change.put.item, ...conditionOf(change.put) } };
  }
  if ('remove' in change) {
    return { Delete: { TableName, Key: change.remove.key, ...conditionOf(change.remove) } };
  }
  const { key, expression } = change.update;
  return { Update: { TableName, Key: key, UpdateExpression: expression, ...conditionOf(change.update) } };
}

function conditionOf({ condition, names, values }: Condition) {
  return {
    ConditionExpression: condition,
    ...(names && { ExpressionAttributeNames: names }),
    ...(values && { ExpressionAttributeValues: values }),
  };
}
