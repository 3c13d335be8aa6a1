import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { World } from '../../../shared/domain/world.ts';
import '../../support/merchant.ts';

const { documents, tableName } = await import('../../../shared/store/client.ts');
const { leaseKey, onceKey } = await import('../../../shared/store/keys.ts');

const PAST_MS = 1;
const PAUSE_MS = 10;

/**
 * Ends the claim of the request that works under an Idempotency-Key, as if it had been too slow: a duplicate takes over.
 * @returns how many ended: none, where the work was done before there was a chance
 */
export function endClaimWhile(world: World, idempotencyKey: string, work: Promise<unknown>): Promise<number> {
  // As Powertools makes the name of a record.
  const hash = createHash('sha256').update(JSON.stringify(idempotencyKey)).digest('base64');
  const update = {
    Key: onceKey(world, `once#${hash}`),
    UpdateExpression: 'SET leaseEndsAtMs = :past',
    ConditionExpression: '#status = :held',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':past': PAST_MS, ':held': 'INPROGRESS' },
  };
  return endWhile(work, 1, update);
}

/**
 * Ends the lease of whoever runs the jobs of a world, again and again: others begin to, beside it.
 * @returns how many ended
 */
export function endRunnersWhile(world: World, work: Promise<unknown>): Promise<number> {
  const update = {
    Key: leaseKey(world),
    UpdateExpression: 'SET endsAtMs = :past',
    ConditionExpression: 'endsAtMs > :past',
    ExpressionAttributeValues: { ':past': PAST_MS },
  };
  return endWhile(work, Number.POSITIVE_INFINITY, update);
}

type LeaseUpdate = Omit<UpdateCommand['input'], 'TableName'>;

async function endWhile(work: Promise<unknown>, times: number, update: LeaseUpdate): Promise<number> {
  let isDone = false;
  const stop = () => {
    isDone = true;
  };
  work.then(stop, stop);
  let ended = 0;
  while (!isDone && ended < times) {
    ended += (await isEnded(update)) ? 1 : 0;
    await sleep(PAUSE_MS);
  }
  return ended;
}

async function isEnded(update: LeaseUpdate): Promise<boolean> {
  try {
    await documents.send(new UpdateCommand({ TableName: tableName(), ...update }));
    return true;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') {
      return false;
    }
    throw error;
  }
}
