import { setTimeout as sleep } from 'node:timers/promises';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { worldIdOf } from '../../shared/domain/world.ts';
import './merchant.ts';

const { documents, tableName } = await import('../../shared/store/client.ts');

/** Locally a moment; a deployed target of tests may run the jobs of one world after another. */
const QUIET_WITHIN_MS = 60_000;
const POLL_MS = 50;

/**
 * What is stored of a merchant's test world when nothing is left to be told or delivered: to show that a refusal left
 * nothing behind. The lease of the runner, which comes and goes, is left out.
 */
export async function quietItems(merchant: string): Promise<Record<string, unknown>[]> {
  const giveUpAt = Date.now() + QUIET_WITHIN_MS;
  for (;;) {
    const items = await storedItems(merchant);
    const isQuiet = !items.some(({ kind }) => kind === 'publish-event' || kind === 'deliver-event');
    if (isQuiet || Date.now() > giveUpAt) {
      return items.filter(({ sk }) => sk !== 'LEASE' && sk !== 'WAKE');
    }
    await sleep(POLL_MS);
  }
}

/** Everything that is stored of a merchant's test world but its counters. */
export async function storedItems(merchant: string): Promise<Record<string, unknown>[]> {
  const items = await scan('begins_with(pk, :value)', `${worldIdOf(merchant, 'test')}.`);
  return items.toSorted((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}

/** What is stored of the first epoch of a merchant's test world, but the saved answers, which end with their time. */
export async function leftOver(merchant: string): Promise<number> {
  const items = await storedItems(merchant);
  return items.filter(({ pk }) => /\.1#(?!ONCE#)/.test(String(pk))).length;
}

/** What is stored of an API key. */
export function storedKeys(id: string): Promise<Record<string, unknown>[]> {
  return scan('id = :value', id);
}

async function scan(filter: string, value: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        FilterExpression: filter,
        ExpressionAttributeValues: { ':value': value },
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}
