import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { World } from '../../domain/world.ts';
import { documents, tableName } from '../client.ts';
import type { Item } from '../item.ts';
import { leaseKey } from '../keys.ts';

/** Short, so that a world whose runner died is free again soon; whoever lives renews it well before it ends. */
const LEASE_MS = 8_000;
const RENEW_EVERY_MS = 2_000;

export type LeasePurpose = 'run' | 'advance';

/**
 * The right to run the jobs of a world, renewed until it is released: two runners would work against each other.
 * It keeps order and saves work; that nothing happens twice is up to the condition of every single commit.
 */
export interface Lease {
  /** Whether it has ended unreleased, because it could not be renewed in time. */
  readonly isLost: boolean;
  /**
   * @returns whether a runner was turned away meanwhile, and left what it came for to this owner
   */
  release(): Promise<boolean>;
}

/**
 * Takes the lease of a world, unless somebody holds it: a runner that is turned away leaves a mark for the owner.
 * @returns the lease, or what the present owner took it for
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
  // The SDK repeats a write whose answer was lost: then the owner who is in the way is this very one.
  if (!taken.isDone && taken.before?.owner !== owner) {
    const isLeft = purpose === 'advance' || (await leaveMark(world));
    // Released between the two calls: there is no owner left to read the mark.
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
    // A store that does not answer is asked again; meanwhile the lease runs on to its end.
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
    // The document client leaves the items of errors as they came.
    return { isDone: false, before: item && unmarshall(item) };
  }
}
