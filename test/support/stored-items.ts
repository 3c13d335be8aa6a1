import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { worldIdOf } from '../../shared/domain/world.ts';
import './merchant.ts';

const { documents, tableName } = await import('../../shared/store/client.ts');

/** Everything that is stored of a merchant's test world but its counters: to show that a refusal left nothing. */
export async function storedItems(merchant: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        FilterExpression: 'begins_with(pk, :world)',
        ExpressionAttributeValues: { ':world': `${worldIdOf(merchant, 'test')}.` },
        ConsistentRead: true,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items.toSorted((a, b) => `${a.pk} ${a.sk}`.localeCompare(`${b.pk} ${b.sk}`));
}

/** What is stored of an API key. */
export async function storedKeys(id: string): Promise<Record<string, unknown>[]> {
  const page = await documents.send(
    new ScanCommand({
      TableName: tableName(),
      FilterExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': id },
      ConsistentRead: true,
    }),
  );
  return page.Items ?? [];
}
