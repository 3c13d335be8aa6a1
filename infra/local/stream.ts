import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type Shard,
} from '@aws-sdk/client-dynamodb-streams';
import type { DynamoDBRecord } from 'aws-lambda';
import { AWS_OPTIONS } from '../../shared/store/table/aws-client.ts';

/** An engine serves its streams and its tables at the same endpoint. A process may use several, one after another. */
function engineOptions() {
  return { ...AWS_OPTIONS, endpoint: String(process.env.AWS_ENDPOINT_URL_DYNAMODB) };
}

/** Reads the stream of a table as Lambda's poller does, starting now. */
export class TableStream {
  readonly #streams = new DynamoDBStreamsClient(engineOptions());
  readonly #arn: string;
  /** The next iterator of each open shard. */
  readonly #iterators = new Map<string, string>();
  readonly #knownShards = new Set<string>();

  private constructor(arn: string) {
    this.#arn = arn;
  }

  /** @returns null if the table, or the whole store, has no stream */
  static async open(TableName: string): Promise<TableStream | null> {
    const client = new DynamoDBClient(engineOptions());
    const { Table: table } = await client.send(new DescribeTableCommand({ TableName }));
    client.destroy();
    if (!table?.StreamSpecification?.StreamEnabled || table.LatestStreamArn === undefined) {
      return null;
    }
    const stream = new TableStream(table.LatestStreamArn);
    try {
      await stream.read();
      return stream;
    } catch {
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

  async #readShard(shard: string, iterator: string): Promise<DynamoDBRecord[]> {
    const output = await this.#streams.send(new GetRecordsCommand({ ShardIterator: iterator }));
    if (output.NextShardIterator === undefined) {
      this.#iterators.delete(shard);
      await this.#openShards();
    } else {
      this.#iterators.set(shard, output.NextShardIterator);
    }
    // These records have Lambda's format, except for the stream's ARN.
    return ((output.Records ?? []) as DynamoDBRecord[]).map((record) => ({
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
        const start = { StreamArn: this.#arn, ShardId, ShardIteratorType } as const;
        const { ShardIterator } = await this.#streams.send(new GetShardIteratorCommand(start));
        this.#iterators.set(ShardId, String(ShardIterator));
      }
    }
  }

  async #listShards(): Promise<Shard[]> {
    const shards: Shard[] = [];
    let after: string | undefined;
    do {
      const { StreamDescription: page } = await this.#streams.send(
        new DescribeStreamCommand({ StreamArn: this.#arn, ExclusiveStartShardId: after }),
      );
      shards.push(...(page?.Shards ?? []));
      after = page?.LastEvaluatedShardId;
    } while (after !== undefined);
    return shards;
  }
}
