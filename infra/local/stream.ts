import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  type _Record,
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';

/** The stream of a table, read as Lambda's poller reads it, beginning now. */
export class TableStream {
  readonly #client: DynamoDBStreamsClient;
  readonly #arn: string;
  /** The next iterator of each open shard. */
  readonly #iterators = new Map<string, string>();
  readonly #knownShards = new Set<string>();

  private constructor(endpoint: string, arn: string) {
    this.#client = new DynamoDBStreamsClient({ endpoint, maxAttempts: 1 });
    this.#arn = arn;
  }

  /** @returns null where the table, or the whole endpoint, has no stream to read */
  static async open(endpoint: string, tableName: string): Promise<TableStream | null> {
    const arn = await streamArnOf(endpoint, tableName);
    if (arn === undefined) {
      return null;
    }
    const stream = new TableStream(endpoint, arn);
    try {
      await stream.read();
      return stream;
    } catch {
      stream.close();
      return null;
    }
  }

  /**
   * The records since the last call.
   * @throws Error where the stream cannot be read now; the next call then skips the records until it
   */
  async read(): Promise<DynamoDBRecord[]> {
    try {
      if (this.#iterators.size === 0) {
        await this.#openShards();
      }
      const shards = [...this.#iterators].map(([shard, iterator]) => this.#readShard(shard, iterator));
      return (await Promise.all(shards)).flat();
    } catch (error) {
      this.#iterators.clear();
      this.#knownShards.clear();
      throw error;
    }
  }

  close(): void {
    this.#client.destroy();
  }

  async #readShard(shard: string, iterator: string): Promise<DynamoDBRecord[]> {
    const answer = await this.#client.send(new GetRecordsCommand({ ShardIterator: iterator }));
    if (answer.NextShardIterator === undefined) {
      this.#iterators.delete(shard);
      await this.#openShards();
    } else {
      this.#iterators.set(shard, answer.NextShardIterator);
    }
    return (answer.Records ?? []).map((record) => toLambda(record, this.#arn));
  }

  async #openShards(): Promise<void> {
    // A successor of a shard that was read is read from its beginning.
    const ShardIteratorType = this.#knownShards.size === 0 ? 'LATEST' : 'TRIM_HORIZON';
    const shards = await this.#listShards();
    for (const ShardId of shards.flatMap((shard) => shard.ShardId ?? [])) {
      if (!this.#knownShards.has(ShardId)) {
        this.#knownShards.add(ShardId);
        const command = new GetShardIteratorCommand({ StreamArn: this.#arn, ShardId, ShardIteratorType });
        const { ShardIterator } = await this.#client.send(command);
        this.#iterators.set(ShardId, String(ShardIterator));
      }
    }
  }

  async #listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let after: string | undefined;
    do {
      const command = new DescribeStreamCommand({
        StreamArn: this.#arn,
        ...(after && { ExclusiveStartShardId: after }),
      });
      const { StreamDescription: page } = await this.#client.send(command);
      shards.push(...(page?.Shards ?? []));
      after = page?.LastEvaluatedShardId;
    } while (after !== undefined);
    return shards;
  }
}

async function streamArnOf(endpoint: string, tableName: string): Promise<string | undefined> {
  const client = new DynamoDBClient({ endpoint });
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    return Table?.StreamSpecification?.StreamEnabled ? Table.LatestStreamArn : undefined;
  } finally {
    client.destroy();
  }
}

/** The SDK's record and Lambda's differ only in the form of their time. */
function toLambda({ dynamodb, ...record }: _Record, eventSourceARN: string): DynamoDBRecord {
  const atMs = dynamodb?.ApproximateCreationDateTime?.getTime() ?? Date.now();
  const image = { ...dynamodb, ApproximateCreationDateTime: Math.floor(atMs / 1_000) };
  return { ...record, eventSourceARN, dynamodb: image } as DynamoDBRecord;
}
