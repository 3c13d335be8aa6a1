import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../domain/world.ts';
import { documents, tableName } from './client.ts';
import { leaseKey } from './keys.ts';

export type LeasePurpose = 'run' | 'advance';

/** The right to run the jobs of a world, for a while: two runners would work against each other. */
export interface Lease {
  readonly owner: string;
  release(): Promise<void>;
}

/**
 * Takes the lease of a world, unless somebody holds it.
 * It keeps order and saves work; that nothing happens twice is up to the condition of every single commit.
 * @param ttlMs when it ends by itself, in real time, should its owner die
 * @returns the lease, or what the present owner took it for
 */
export async function takeLease(
  world: World,
  owner: string,
  purpose: LeasePurpose,
  ttlMs: number,
): Promise<Lease | LeasePurpose> {
  const nowMs = Date.now();
  try {
    await documents.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: leaseKey(world),
        UpdateExpression: 'SET #owner = :owner, purpose = :purpose, endsAtMs = :ends',
        ConditionExpression: 'attribute_not_exists(pk) OR endsAtMs < :now',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ':owner': owner,
          ':purpose': purpose,
          ':ends': nowMs + ttlMs,
          ':now': nowMs,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
  } catch (error) {
    const { name, Item: held } = error as Error & { Item?: { purpose?: { S?: string } | string } };
    if (name !== 'ConditionalCheckFailedException') {
      throw error;
    }
    const heldFor = typeof held?.purpose === 'string' ? held.purpose : held?.purpose?.S;
    return heldFor === 'advance' ? 'advance' : 'run';
  }
  return { owner, release: () => releaseLease(world, owner) };
}

async function releaseLease(world: World, owner: string): Promise<void> {
  await documents
    .send(
      new UpdateCommand({
        TableName: tableName(),
        Key: leaseKey(world),
        UpdateExpression: 'SET endsAtMs = :never',
        ConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: { ':owner': owner, ':never': 0 },
      }),
    )
    // It ends by itself.
    .catch(() => undefined);
}
