import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { AwsClient } from '../../shared/store/aws-client.ts';
import { SERVICE } from '../../shared/store/client.ts';

/** An engine serves its streams and its tables at the same endpoint. */
type Client = Pick<DynamoDBClient & DynamoDBStreamsClient, 'send' | 'destroy'>;

/** Reads the stream of a table as Lambda's poller does, starting now. */
export class TableStream {
  readonly #client: Client;
  readonly #arn: string;
  /** The next iterator of each open shard. */
  readonly #iterators = new Map<string, string>();
  readonly #knownShards = new Set<string>();

  private constructor(client: Client, arn: string) {
    this.#client = client;
    this.#arn = arn;
  }

  /** @returns null if the table, or the whole store, has no stream */
  static async open(TableName: string): Promise<TableStream | null> {
    const client = new AwsClient(SERVICE) as unknown as Client;
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName }));
    if (!table?.StreamSpecification?.StreamEnabled || table.LatestStreamArn === undefined) {
      return null;
    }
    const stream = new TableStream(client, table.LatestStreamArn);
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
   * @throws Error if the stream cannot be read now; the next call then starts at that moment, and skips records before
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
    // These records have Lambda's format, except for the stream's ARN and the form of bytes.
    return ((answer.Records ?? []) as DynamoDBRecord[]).map((record) => ({
      ...record,
      eventSourceARN: this.#arn,
    }));
  }

  async #openShards(): Promise<void> {
    // The successor of a shard that was read is read from its start.
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
