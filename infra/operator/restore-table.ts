import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE } from '../../shared/store/table/table.ts';
import type { TableChoice } from '../aws/table-choice.ts';

/** A large table takes hours; the command can be repeated after that. */
const RESTORED_WITHIN_SECONDS = 24 * 3_600;
const ACTIVE_WITHIN_SECONDS = 15 * 60;
const POLL_SECONDS = { minDelay: 1, maxDelay: 20 } as const;
/** The end of the name of a table that is a copy itself. */
const RESTORED = /-restored-\d{8}T\d{6}Z$/;
/** Tags of AWS's own cannot be given. */
const OWN_TAG = /^aws:/;

/**
 * Copies a table as it was at an instant, and gives the copy what a restore does not carry: its stream, its time to
 * live, its backups, its protection and its tags. It can be repeated: what is done already stays.
 * @param say is told what happens: a restore takes from minutes to hours
 * @throws Error with the instants that can be restored, where this is none of them
 */
export async function copyTableAt(
  tableName: string,
  atMs: number,
  say: (line: string) => void,
): Promise<TableChoice> {
  const client = new DynamoDBClient();
  const name = restoredTableName(tableName, atMs);
  try {
    if ((await findTable(client, name)) === null) {
      await startRestore(client, tableName, name, atMs);
    }
    say(
      `Restoring ${tableName} to ${name}. Large tables take hours; after an interruption, repeat the command.`,
    );
    await untilActive(client, name, RESTORED_WITHIN_SECONDS);
    say('Restored. Switching on its stream, time to live, backups and protection.');
    await complete(client, tableName, name);
    const { LatestStreamLabel: streamLabel } = await untilActive(client, name, ACTIVE_WITHIN_SECONDS);
    if (streamLabel === undefined) {
      throw new Error(`${name} has no stream yet: repeat the command.`);
    }
    return { name, streamLabel };
  } finally {
    client.destroy();
  }
}

async function startRestore(
  client: DynamoDBClient,
  SourceTableName: string,
  TargetTableName: string,
  atMs: number,
): Promise<void> {
  const RestoreDateTime = new Date(atMs);
  try {
    await client.send(
      new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }),
    );
  } catch (error) {
    const { name } = error as Error;
    if (name === 'PointInTimeRecoveryUnavailableException') {
      throw new Error(`${SourceTableName} keeps no backups: only production does.`);
    }
    throw name === 'InvalidRestoreTimeException' ? await notRestorable(client, SourceTableName) : error;
  }
}

/** An error that says which instants can be restored. */
async function notRestorable(client: DynamoDBClient, TableName: string): Promise<Error> {
  const { ContinuousBackupsDescription: backups } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    backups?.PointInTimeRecoveryDescription ?? {};
  return new Error(
    `${TableName} can be restored to any second from ${earliest?.toISOString()} to ${latest?.toISOString()}.`,
  );
}

/** What infra/aws/constructs/payment-table.ts gives a table of production, and its tags. */
async function complete(client: DynamoDBClient, source: string, TableName: string): Promise<void> {
  const [from, copy] = [await findTable(client, source), await findTable(client, TableName)];
  if (copy?.StreamSpecification?.StreamEnabled !== true) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } as const;
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    await untilActive(client, TableName, ACTIVE_WITHIN_SECONDS);
  }
  if (copy?.DeletionProtectionEnabled !== true) {
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
    await untilActive(client, TableName, ACTIVE_WITHIN_SECONDS);
  }
  const { TimeToLiveDescription: ttl } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (ttl?.TimeToLiveStatus !== 'ENABLED' && ttl?.TimeToLiveStatus !== 'ENABLING') {
    const TimeToLiveSpecification = { AttributeName: TABLE.ttl, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: from?.TableArn }));
  const tags = Tags.filter(({ Key = '' }) => !OWN_TAG.test(Key));
  if (tags.length > 0) {
    await client.send(new TagResourceCommand({ ResourceArn: copy?.TableArn, Tags: tags }));
  }
}

async function untilActive(
  client: DynamoDBClient,
  TableName: string,
  maxWaitTime: number,
): Promise<TableDescription> {
  await waitUntilTableExists({ client, maxWaitTime, ...POLL_SECONDS }, { TableName });
  const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
  return Table;
}

async function findTable(client: DynamoDBClient, TableName: string): Promise<TableDescription | null> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table ?? null;
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') {
      return null;
    }
    throw error;
  }
}

/** The name of the copy of a table as it was at an instant. */
function restoredTableName(tableName: string, atMs: number): string {
  const instant = new Date(atMs).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '');
  return `${tableName.replace(RESTORED, '')}-restored-${instant}`;
}
