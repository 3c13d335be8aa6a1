import { describe, expect, test } from 'vitest';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { synthesized } from './synthesized.ts';

const KEY = 'arn:aws:kms:us-east-1:111122223333:key/00000000-0000-0000-0000-000000000000';
const BOUNDARY = 'arn:aws:iam::111122223333:policy/bounds';
const VAULT = 'arn:aws:backup:us-east-1:444455556666:backup-vault:far-away';
const CERTIFICATE = 'arn:aws:acm:us-east-1:111122223333:certificate/1';

const plain = synthesized({ isProduction: true }).template;
const { template } = synthesized({
  isProduction: true,
  baseUrl: 'https://pay.example.com',
  domain: { name: 'pay.example.com', certificateArn: CERTIFICATE },
  kmsKey: KEY,
  boundary: BOUNDARY,
  backupVault: VAULT,
  alarmEmail: 'ops@example.com',
  ticketEmail: 'tickets@example.com',
  budget: 300,
});
const propertiesOf = (type: string) =>
  Object.values(resourcesOf(template, type)).map(({ Properties }) => Properties);

describe("a domain of one's own", () => {
  test('leads to the stage, from TLS 1.2 on, and nothing else leads there', () => {
    expect(propertiesOf('AWS::ApiGateway::DomainName')).toMatchObject([
      {
        DomainName: 'pay.example.com',
        RegionalCertificateArn: CERTIFICATE,
        SecurityPolicy: 'TLS_1_2',
        EndpointConfiguration: { Types: ['REGIONAL'] },
      },
    ]);
    const [stageId] = Object.keys(resourcesOf(template, 'AWS::ApiGateway::Stage'));
    const [apiId] = Object.keys(resourcesOf(template, 'AWS::ApiGateway::RestApi'));
    const [mapping] = propertiesOf('AWS::ApiGateway::BasePathMapping');
    expect(mapping).toMatchObject({ RestApiId: { Ref: apiId }, Stage: { Ref: stageId } });
    expect(mapping).not.toHaveProperty('BasePath');
    expect(propertiesOf('AWS::ApiGateway::RestApi')).toMatchObject([{ DisableExecuteApiEndpoint: true }]);
    template.hasOutput('BaseUrl', { Value: 'https://pay.example.com' });
    template.hasOutput('DomainTarget', {});
  });

  test('is not there by default, and then the address of API Gateway is', () => {
    expect(resourcesOf(plain, 'AWS::ApiGateway::DomainName')).toEqual({});
    const [api] = Object.values(resourcesOf(plain, 'AWS::ApiGateway::RestApi'));
    expect(api?.Properties.DisableExecuteApiEndpoint).toBeUndefined();
  });
});

describe("a key of one's own", () => {
  test('encrypts the table, every log, every queue and every topic', () => {
    expect(propertiesOf('AWS::DynamoDB::Table')).toMatchObject([
      { SSESpecification: { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: KEY } },
    ]);
    for (const [type, property] of [
      ['AWS::Logs::LogGroup', 'KmsKeyId'],
      ['AWS::SQS::Queue', 'KmsMasterKeyId'],
      ['AWS::SNS::Topic', 'KmsMasterKeyId'],
    ] as const) {
      const keys = propertiesOf(type).map((each) => each[property]);
      expect(keys.length, type).toBeGreaterThan(1);
      expect(new Set(keys), type).toEqual(new Set([KEY]));
    }
    expect(propertiesOf('AWS::SQS::Queue').filter((each) => 'SqsManagedSseEnabled' in each)).toEqual([]);
  });

  test('may be used by each function that has the table, and encrypts the secrets of providers', () => {
    const functions = propertiesOf('AWS::Lambda::Function').filter(
      ({ Environment }) => Environment?.Variables?.TABLE_NAME !== undefined,
    );
    const roles = new Set(functions.map(({ Role }) => Role['Fn::GetAtt'][0]));
    expect(roles.size).toBeGreaterThan(10);
    for (const id of roles) {
      const { Policies } = resourcesOf(template, 'AWS::IAM::Role')[id]?.Properties ?? {};
      const own = Policies.find(({ PolicyName }: { PolicyName: string }) => PolicyName === 'key');
      expect(own?.PolicyDocument.Statement, id).toMatchObject([
        {
          Effect: 'Allow',
          Resource: KEY,
          Action: expect.arrayContaining(['kms:Decrypt', 'kms:GenerateDataKey']),
        },
      ]);
    }
    template.hasOutput('KmsKeyArn', { Value: KEY });
  });
});

test('a boundary bounds every role', () => {
  const roles = propertiesOf('AWS::IAM::Role');
  expect(roles.length).toBeGreaterThan(15);
  expect(roles.filter(({ PermissionsBoundary }) => PermissionsBoundary !== BOUNDARY)).toEqual([]);
});

test('the table is copied each night, here and out of the account', () => {
  const [tableId] = Object.keys(resourcesOf(template, 'AWS::DynamoDB::Table'));
  expect(propertiesOf('AWS::Backup::BackupPlan')).toMatchObject([
    {
      BackupPlan: {
        BackupPlanRule: [
          {
            ScheduleExpression: expect.stringMatching(/^cron\(30 18 \* \* \? \*\)$/),
            Lifecycle: { DeleteAfterDays: 35 },
            CopyActions: [{ DestinationBackupVaultArn: VAULT, Lifecycle: { DeleteAfterDays: 395 } }],
          },
        ],
      },
    },
  ]);
  const [selection] = propertiesOf('AWS::Backup::BackupSelection');
  expect(JSON.stringify(selection.BackupSelection.Resources)).toContain(`"${tableId}"`);
  expect(propertiesOf('AWS::Backup::BackupVault')).toMatchObject([{ EncryptionKeyArn: KEY }]);
  const [vault] = Object.values(template.findResources('AWS::Backup::BackupVault'));
  expect(vault?.DeletionPolicy).toBe('Retain');
});

test('a budget tells of the account before and after it is spent, where it is named', () => {
  expect(propertiesOf('AWS::Budgets::Budget')).toMatchObject([
    {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 300, Unit: 'USD' } },
      NotificationsWithSubscribers: [
        {
          Notification: { NotificationType: 'ACTUAL', Threshold: 80 },
          Subscribers: [{ SubscriptionType: 'EMAIL', Address: 'ops@example.com' }],
        },
        { Notification: { NotificationType: 'FORECASTED', Threshold: 100 } },
      ],
    },
  ]);
  expect(resourcesOf(plain, 'AWS::Budgets::Budget')).toEqual({});
});

test('alarms that can wait go to an address of their own where there is one', () => {
  const [pages, tickets] = propertiesOf('AWS::SNS::Subscription');
  expect([pages?.Endpoint, tickets?.Endpoint]).toEqual(['ops@example.com', 'tickets@example.com']);
  expect(pages?.TopicArn).not.toEqual(tickets?.TopicArn);
});
