import {
  CloudFormationClient,
  CreateStackCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { STAGE_TAG } from '../../../infra/aws/stage.ts';
import { copyTableAt } from '../../../infra/operator/restore-table.ts';
import { startMiniStack } from '../../deployed/ministack.ts';
import { REGION, type Target } from '../../deployed/target.ts';
import { freePort } from '../../support/tools/free-port.ts';
import { runToEnd } from '../../support/tools/run-to-end.ts';
import { listenHttp } from '../../support/world/receivers.ts';

const SOURCE = 'payments-red-TableA1';
const KEY = { pk: { S: 'WORLD#1' }, sk: { S: 'WORLD' } };
const CREDENTIALS = { AWS_REGION: REGION, AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };

const BACKUPS = {
  ContinuousBackupsDescription: {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: {
      PointInTimeRecoveryStatus: 'ENABLED',
      EarliestRestorableDateTime: Date.parse('2026-10-26T00:00:00Z') / 1_000,
      LatestRestorableDateTime: Date.parse('2026-11-30T00:00:00Z') / 1_000,
    },
  },
};

/** A stack with a table such as production's, and the outputs that commands look for. */
const TEMPLATE = {
  Resources: {
    TableA1: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: SOURCE,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [
          { AttributeName: 'pk', AttributeType: 'S' },
          { AttributeName: 'sk', AttributeType: 'S' },
        ],
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        Tags: [{ Key: STAGE_TAG, Value: 'red' }],
      },
    },
  },
  Outputs: { TableName: { Value: { Ref: 'TableA1' } }, BaseUrl: { Value: 'https://red.example/api' } },
};

describe('pg admin restore, at a target that stands in for AWS', () => {
  let target: Target;
  let env: NodeJS.ProcessEnv;
  let tables: DynamoDBClient;

  beforeAll(async () => {
    target = await startMiniStack(await freePort());
    env = {
      ...process.env,
      ...CREDENTIALS,
      AWS_ENDPOINT_URL: target.endpoint,
      AWS_EC2_METADATA_DISABLED: 'true',
    };
    delete env.AWS_ENDPOINT_URL_DYNAMODB;
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const options = { endpoint: target.endpoint, region: REGION, credentials };
    tables = new DynamoDBClient(options);
    const stacks = new CloudFormationClient(options);
    const StackName = 'payments-red';
    await stacks.send(new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(TEMPLATE) }));
    await waitUntilStackCreateComplete({ client: stacks, maxWaitTime: 60, minDelay: 1 }, { StackName });
    await tables.send(new PutItemCommand({ TableName: SOURCE, Item: KEY }));
  });
  afterAll(() => target.stop());

  const restore = async (to: string) => {
    const args = ['infra/pg/pg.ts', 'admin', 'restore', '--stage', 'red', '--to', to, '--json'];
    const { code, stdout, stderr } = await runToEnd(args, env);
    return { code, stderr, shown: stdout === '' ? null : JSON.parse(stdout) };
  };

  test('copies the table, and switches on what a restore does not carry; twice is as once', async () => {
    const to = new Date(Date.now() - 1_000).toISOString();
    const { code, stderr, shown } = await restore(to);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const { table: TableName } = shown;
    expect(TableName).toMatch(/^payments-red-TableA1-restored-\d{8}T\d{6}Z$/);
    const { Table } = await tables.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      TableStatus: 'ACTIVE',
      DeletionProtectionEnabled: true,
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' },
    });
    expect(Table?.LatestStreamArn?.endsWith(`:table/${shown.choice}`)).toBe(true);
    expect(shown.next).toContain(`-c table=${shown.choice} -c workers=off`);
    const { TimeToLiveDescription } = await tables.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription).toEqual({ TimeToLiveStatus: 'ENABLED', AttributeName: 'ttl' });
    const { ContinuousBackupsDescription } = await tables.send(
      new DescribeContinuousBackupsCommand({ TableName }),
    );
    expect(ContinuousBackupsDescription?.PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus).toBe(
      'ENABLED',
    );
    const { Tags } = await tables.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
    expect(Tags).toContainEqual({ Key: STAGE_TAG, Value: 'red' });
    expect((await tables.send(new GetItemCommand({ TableName, Key: KEY }))).Item).toEqual(KEY);
    expect((await restore(to)).shown).toEqual(shown);
  });

  test('refuses a time without its zone', async () => {
    expect((await restore('2026-11-29T10:15:00')).stderr).toContain('--to takes a time with its zone');
  });
});

describe('pg admin restore report', () => {
  test.each([
    [[], 'Missing option: --since <INSTANT>'],
    [['--since', 'yesterday'], '--since takes a time with its zone'],
    [['--since', '2026-11-29T03:15:00Z', '--received', 'x'], '--received and --merchant go together'],
    [['--since', '2026-11-29T03:15:00Z', '--merchant', 'shop'], '--received and --merchant go together'],
  ])('%j is refused with what is wrong', async (args, said) => {
    const { code, stderr } = await runToEnd(
      ['infra/pg/pg.ts', 'admin', 'restore', 'report', ...args],
      process.env,
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain(said);
  });
});

describe('where AWS refuses to restore', () => {
  /** What the command says where DynamoDB refuses for a reason. */
  const refusalOf = async (reason: string): Promise<unknown> => {
    const { port } = await listenHttp((request, response) => {
      const action = String(request.headers['x-amz-target']).replace(/^.*\./, '');
      const missing = action === 'DescribeTable' ? 'ResourceNotFoundException' : reason;
      const answer = action === 'DescribeContinuousBackups' ? BACKUPS : { __type: missing, message: 'no' };
      response.writeHead(answer === BACKUPS ? 200 : 400, { 'content-type': 'application/x-amz-json-1.0' });
      response.end(JSON.stringify(answer));
    });
    for (const [name, value] of Object.entries(CREDENTIALS)) {
      vi.stubEnv(name, value);
    }
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', `http://127.0.0.1:${port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    return copyTableAt(SOURCE, 0, () => undefined).catch((error: Error) => error.message);
  };

  test('says which instants can be restored', async () => {
    expect(await refusalOf('InvalidRestoreTimeException')).toBe(
      `${SOURCE} can be restored to any second from 2026-10-26T00:00:00.000Z to 2026-11-30T00:00:00.000Z.`,
    );
  });

  test('says that a table keeps no backups', async () => {
    expect(await refusalOf('PointInTimeRecoveryUnavailableException')).toContain('keeps no backups');
  });
});
