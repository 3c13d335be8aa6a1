import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { World } from '../../domain/world.ts';
import { documents, tableName } from '../client.ts';
import type { Item } from '../item.ts';
import { leaseKey } from '../keys.ts';

/** Short, so that a world whose runner died is free again soon; a living runner renews it well before it ends. */
const LEASE_MS = 8_000;
const RENEW_EVERY_MS = 2_000;

export type LeasePurpose = 'run' | 'advance';

/**
 * The right to run the jobs of a world, renewed until it is released: two runners would only compete for the same
 * jobs. The lease keeps order and saves work; what prevents double effects is the condition of every commit.
 */
export interface Lease {
  /** Whether the lease ran out because it could not be renewed in time. */
  readonly isLost: boolean;
  /**
   * @returns whether another runner was turned away meanwhile: its jobs are left to this owner
   */
  release(): Promise<boolean>;
}

/**
 * Takes the lease of a world, unless somebody holds it. A runner that is turned away leaves a mark for the owner.
 * @returns the lease, or the purpose of its current owner
 */
export async function takeLease(world: World, purpose: LeasePurpose): Promise<Lease | LeasePurpose> {
  const owner = randomUUID();
  const nowMs = Date.now();
  let endsAtMs = nowMs + LEASE_MS;
  const taken = await update(world, {
    expression: 'SET #owner = :owner, purpose = :purpose, endsAtMs = :ends REMOVE turnedAwayAtMs',
    condition: 'attribute_not_exists(pk) OR endsAtMs < :now',
    names: { '#owner': 'owner' },
    values: { ':owner': owner, ':purpose': purpose, ':ends': endsAtMs, ':now': nowMs },
  });
  // If the SDK repeated a write whose answer was lost, the owner that it finds is this one.
  if (!taken.isDone && taken.before?.owner !== owner) {
    const isLeft = purpose === 'advance' || (await leaveMark(world));
    // If the lease was released between the two calls, nobody is left to read the mark: try again.
    return isLeft ? (taken.before?.purpose as LeasePurpose) : takeLease(world, purpose);
  }

  const endAt = (atMs: number) =>
    update(world, {
      expression: 'SET endsAtMs = :ends',
      condition: '#owner = :owner',
      names: { '#owner': 'owner' },
      values: { ':ends': atMs, ':owner': owner },
    });
  const renewal = setInterval(async () => {
    const nextMs = Date.now() + LEASE_MS;
    // If the store does not answer, the next interval tries again; the lease keeps its end.
    const renewed = await endAt(nextMs).catch(() => null);
    if (renewed !== null) {
      endsAtMs = renewed.isDone ? nextMs : 0;
    }
  }, RENEW_EVERY_MS).unref();
  return {
    get isLost() {
      return Date.now() >= endsAtMs;
    },
    release: async () => {
      clearInterval(renewal);
      const released = await endAt(0).catch(() => null);
      return released?.before?.turnedAwayAtMs !== undefined;
    },
  };
}

/** @returns false where nobody holds the lease any more */
async function leaveMark(world: World): Promise<boolean> {
  const left = await update(world, {
    expression: 'SET turnedAwayAtMs = :now',
    condition: 'endsAtMs >= :now',
    values: { ':now': Date.now() },
  });
  return left.isDone;
}

interface LeaseUpdate {
  readonly expression: string;
  readonly condition: string;
  readonly names?: Record<string, string>;
  readonly values: Record<string, unknown>;
}

/** @returns whether the condition held, and the item as it was before */
async function update(
  world: World,
  { expression, condition, names, values }: LeaseUpdate,
): Promise<{ isDone: boolean; before: Item | undefined }> {
  try {
    const answer = await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: leaseKey(world),
        UpdateExpression: expression,
        ConditionExpression: condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_OLD',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { isDone: true, before: answer.Attributes };
  } catch (error) {
    const { name, Item: item } = error as Error & { Item?: Parameters<typeof unmarshall>[0] };
    if (name !== 'ConditionalCheckFailedException') {
      throw error;
    }
    // The document client does not unmarshall the items of errors.
    return { isDone: false, before: item && unmarshall(item) };
  }
}
