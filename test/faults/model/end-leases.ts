import { setTimeout as sleep } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { storedItems } from '../../support/stored-items.ts';

const { documents, tableName } = await import('../../../shared/store/client.ts');

const PAUSE_MS = 15;
const PAST_MS = 1;

/**
 * Ends the leases in a merchant's world early while something goes on there, as if whoever holds one had been too
 * slow: the claims of requests, so that their duplicates take over, and the lease of the runner.
 * @returns how many ended early
 */
export async function endLeasesWhile(merchant: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ended = new Set<string>();
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    const held = (await storedItems(merchant)).filter(
      (it) => it.status === 'INPROGRESS' || it.sk === 'LEASE',
    );
    for (const item of held) {
      // A key's first claim, for whoever takes over is in time; but of each runner.
      const holder = `${item.pk} ${item.owner ?? ''}`;
      if (!ended.has(holder) && (await endLease(item))) {
        ended.add(holder);
      }
    }
    await sleep(PAUSE_MS);
  }
  return ended.size;
}

/** @returns whether it was still held */
async function endLease({ pk, sk }: Readonly<Record<string, unknown>>): Promise<boolean> {
  const attribute = sk === 'LEASE' ? 'endsAtMs' : 'leaseEndsAtMs';
  const isHeld = sk === 'LEASE' ? '#ends > :past' : '#ends > :past AND #status = :held';
  const update = new UpdateCommand({
    TableName: tableName(),
    Key: { pk, sk },
    UpdateExpression: 'SET #ends = :past',
    ConditionExpression: isHeld,
    ExpressionAttributeNames: { '#ends': attribute, ...(sk !== 'LEASE' && { '#status': 'status' }) },
    ExpressionAttributeValues: { ':past': PAST_MS, ...(sk !== 'LEASE' && { ':held': 'INPROGRESS' }) },
  });
  return documents.send(update).then(
    () => true,
    () => false,
  );
}
