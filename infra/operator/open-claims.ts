import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb, tableName } from '../../shared/store/table/client.ts';
import { worldIdOfPk } from '../../shared/store/table/keys.ts';

/** Side by side, so that a large table takes minutes. */
const SEGMENTS = 8;

/**
 * How many requests of each world were under way, by its id: their claims are not completed. It reads the whole table,
 * since no list has claims: only the report of a restored table needs them.
 */
export async function countOpenClaims(): Promise<ReadonlyMap<string, number>> {
  const segments = await Promise.all(Array.from({ length: SEGMENTS }, (_, segment) => openClaimsIn(segment)));
  const worlds = Map.groupBy(segments.flat(), worldIdOfPk);
  return new Map([...worlds].map(([worldId, pks]) => [worldId, pks.length]));
}

async function openClaimsIn(Segment: number): Promise<string[]> {
  const pks: string[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({
        TableName: tableName(),
        Segment,
        TotalSegments: SEGMENTS,
        ProjectionExpression: 'pk',
        FilterExpression: 'sk = :claim AND #status = :inprogress',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':claim': 'CLAIM', ':inprogress': 'INPROGRESS' },
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    pks.push(...(page.Items ?? []).map(({ pk }) => String(pk)));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return pks;
}
