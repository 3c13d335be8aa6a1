import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ApiKey, hashSecret, mintSecret } from '../domain/api-key.ts';
import { newId } from '../domain/id.ts';
import { worldIdOf } from '../domain/world.ts';
import { documents, tableName } from './client.ts';
import { type Change, commit } from './commit.ts';
import { getItems } from './get-items.ts';
import { getItem, type Item, insert } from './item.ts';
import { API_KEYS_PK, apiKeyKey, type Key, relatedIndex, worldKey } from './keys.ts';
import { INDEXES } from './table.ts';
import { newWorldItem } from './world.ts';

const KEYS_AT_ONCE = 500;

export async function findApiKey(secretHash: string): Promise<ApiKey | null> {
  const item = await getItem(apiKeyKey(secretHash));
  return item === undefined ? null : toApiKey(item);
}

/**
 * Makes a key and opens the merchant's world where this is its first one.
 * @returns the secret, which is stored nowhere and can be shown only now, and what is stored
 */
export async function issueApiKey(
  order: KeyOrder,
  realNowMs: number,
): Promise<{ secret: string; key: ApiKey }> {
  const secret = mintSecret(order.mode);
  const key: ApiKey = {
    id: newId('key', realNowMs),
    ...order,
    worldId: worldIdOf(order.merchant, order.mode),
    last4: secret.slice(-4),
    createdAtMs: realNowMs,
    revokedAtMs: null,
  };
  await insertApiKey(key, hashSecret(secret));
  return { secret, key };
}

export type KeyOrder = Pick<ApiKey, 'merchant' | 'mode' | 'permissions' | 'version' | 'label'>;

async function insertApiKey(key: ApiKey, secretHash: string): Promise<void> {
  const item = { ...apiKeyKey(secretHash), ...relatedIndex(API_KEYS_PK, key.id), ...key };
  const isOpen = (await getItem(worldKey(key.worldId))) !== undefined;
  const count: Change = {
    update: {
      key: worldKey(key.worldId),
      expression: 'ADD keyCount :one',
      condition: 'attribute_exists(pk)',
      values: { ':one': 1 },
    },
  };
  const world = newWorldItem({ id: key.worldId, merchant: key.merchant, mode: key.mode });
  const outcome = await commit([insert(item), isOpen ? count : insert({ ...world, keyCount: 1 })]);
  if (outcome.kind === 'conflict') {
    // Two first keys at once: the other one has opened the world.
    await commit([insert(item), count]);
  }
}

/** All keys, or those of a merchant, oldest first. */
export async function listApiKeys(merchant?: string): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  for await (const places of findKeys()) {
    const items = await getItems(places);
    const found = places.map(({ pk }) => items.get(pk)).filter((item) => item !== undefined);
    keys.push(...found.map(toApiKey));
  }
  return keys.filter((key) => merchant === undefined || key.merchant === merchant);
}

/** Ends a key for good; null where there is none. Revoking twice keeps the first instant. */
export async function revokeApiKey(id: string, realNowMs: number): Promise<ApiKey | null> {
  const { value: [place] = [] } = await findKeys(id).next();
  const stored = place && (await getItem(place));
  if (place === undefined || stored === undefined) {
    return null;
  }
  const answer = await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: place,
      UpdateExpression: 'SET revokedAtMs = :revoked',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':revoked': toApiKey(stored).revokedAtMs ?? realNowMs },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return toApiKey(answer.Attributes ?? stored);
}

/** Where keys are, a page at a time: a table may hold very many. */
async function* findKeys(id?: string): AsyncGenerator<Key[], undefined> {
  const { partitionKey, sortKey } = INDEXES.related;
  let from: Item | undefined;
  do {
    const answer = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: 'related',
        KeyConditionExpression: id === undefined ? '#pk = :pk' : '#pk = :pk AND #sk = :id',
        ExpressionAttributeNames: { '#pk': partitionKey, ...(id !== undefined && { '#sk': sortKey }) },
        ExpressionAttributeValues: { ':pk': API_KEYS_PK, ...(id !== undefined && { ':id': id }) },
        Limit: KEYS_AT_ONCE,
        ...(from && { ExclusiveStartKey: from }),
      }),
    );
    yield (answer.Items ?? []).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
}

function toApiKey(item: Item): ApiKey {
  return item as unknown as ApiKey;
}
