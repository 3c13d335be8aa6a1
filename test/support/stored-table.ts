import { BatchWriteCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import './merchant.ts';

const { documents, tableName } = await import('../../shared/store/client.ts');
const { unpack } = await import('../../shared/store/packed.ts');

const BATCH_WRITE_MAX = 25;

export type StoredItem = Readonly<Record<string, unknown>>;

/** Everything in the table, or what passes a filter, with all that is packed laid open. */
export async function scanTable(filter?: string, value?: string): Promise<Record<string, unknown>[]> {
  return (await rawItems(filter, value)).map(opened);
}

/** Everything in the table, or what passes a filter, as it is stored. */
export async function rawItems(filter?: string, value?: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await documents.send(
      new ScanCommand({
        TableName: tableName(),
        ConsistentRead: true,
        ...(filter !== undefined && {
          FilterExpression: filter,
          ExpressionAttributeValues: { ':value': value },
        }),
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}

/** An item whose packed texts are texts, and whose `data` is fields beside its attributes, or a list. */
function opened(item: StoredItem): Record<string, unknown> {
  const { data, ...texts } = Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, value instanceof Uint8Array ? textOf(value) : value]),
  );
  if (data === undefined) {
    return texts;
  }
  // The event log has a line for each event.
  const parts = String(data)
    .split('\n')
    .flatMap((line) => JSON.parse(line));
  return { ...(parts.length === 1 ? parts[0] : { parts }), ...texts };
}

/** What is stored under one partition key: found without a look at everything else. */
export async function partition(pk: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
}

/** Puts the table back into the state in which it was read. */
export async function restoreTable(items: readonly StoredItem[]): Promise<void> {
  const kept = new Set(items.map(keyText));
  const gone = (await rawItems()).filter((item) => !kept.has(keyText(item)));
  const requests = [
    ...gone.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
    ...items.map((Item) => ({ PutRequest: { Item } })),
  ];
  for (let from = 0; from < requests.length; from += BATCH_WRITE_MAX) {
    const batch = requests.slice(from, from + BATCH_WRITE_MAX);
    await documents.send(new BatchWriteCommand({ RequestItems: { [tableName()]: batch } }));
  }
}

function keyText({ pk, sk }: StoredItem): string {
  return `${pk} ${sk}`;
}

/** Packed text, or bytes that a test has put in its place. */
function textOf(bytes: Uint8Array): string {
  try {
    return unpack(bytes);
  } catch {
    return JSON.stringify({ broken: Buffer.from(bytes).toString() });
  }
}
