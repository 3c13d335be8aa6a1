import { describe, expect, test } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { readAppSettings } from '../../../infra/aws/app-settings.ts';

const LAYER = 'arn:aws:lambda:ap-southeast-1:184161586896:layer:opentelemetry-nodejs-0_19_0:1';
const OTLP = 'https://otel.example.com:4318';

describe('what a deployment chooses', () => {
  test.each<[string, object, object, object]>([
    [
      'nothing: a test stage',
      {},
      {},
      {
        stage: 'dev',
        hasTestKit: true,
        isByOwnCredentials: false,
        gateway: 'aws',
        hasAlarms: false,
        traces: { kind: 'off' },
        isPaused: false,
        rollout: 'canary',
      },
    ],
    [
      'everything by -c, before the environment',
      {
        stage: 'red',
        testKit: 'off',
        credentials: 'cli',
        gateway: 'aws',
        baseUrl: 'https://pay.example.com',
        alarms: 'off',
        alarmEmail: 'a@example.com',
        traces: 'xray',
        table: 'payments-red-TableA1-restored-20261129T031500Z/stream/2026-11-30T04:12:33.871',
        workers: 'off',
        rollout: 'at-once',
      },
      {
        AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
        STAGE: 'blue',
        TEST_KIT: 'on',
        ALARM_EMAIL: 'b@example.com',
        CHOSEN_TABLE: 'payments-red-TableB2/stream/2026-11-30T04:12:33.871',
        WORKERS: 'on',
      },
      {
        stage: 'red',
        hasTestKit: false,
        isByOwnCredentials: true,
        gateway: 'aws',
        hasAlarms: false,
        isPaused: true,
        table: {
          name: 'payments-red-TableA1-restored-20261129T031500Z',
          streamLabel: '2026-11-30T04:12:33.871',
        },
        baseUrl: 'https://pay.example.com',
        alarmEmail: 'a@example.com',
        traces: { kind: 'xray' },
        rollout: 'at-once',
      },
    ],
    [
      'everything by the environment',
      {},
      {
        STAGE: 'production',
        TEST_KIT: 'on',
        ALARM_EMAIL: 'b@example.com',
        CHOSEN_TABLE: 'payments-production-TableB2/stream/2026-11-30T04:12:33.871',
        WORKERS: 'on',
      },
      {
        stage: 'production',
        hasTestKit: true,
        isByOwnCredentials: false,
        gateway: 'aws',
        hasAlarms: true,
        isPaused: false,
        table: { name: 'payments-production-TableB2', streamLabel: '2026-11-30T04:12:33.871' },
        alarmEmail: 'b@example.com',
        traces: { kind: 'xray' },
        rollout: 'canary',
      },
    ],
    [
      'empty variables, as a pipeline sets them: nothing',
      {},
      { STAGE: '', TEST_KIT: '', ALARM_EMAIL: '', CHOSEN_TABLE: '', WORKERS: '' },
      {
        stage: 'dev',
        hasTestKit: true,
        isByOwnCredentials: false,
        gateway: 'aws',
        hasAlarms: false,
        traces: { kind: 'off' },
        isPaused: false,
        rollout: 'canary',
      },
    ],
  ])('%s', (_name, given, env, expected) => {
    expect(readAppSettings({ ...cdk.context, 'aws:cdk:bundling-stacks': [], ...given }, { ...env })).toEqual(
      expected,
    );
  });

  test.each<[string | undefined, Readonly<Record<string, unknown>>, string]>([
    [undefined, {}, 'aws'],
    ['', {}, 'aws'],
    ['https://vpce-0a1b.execute-api.ap-southeast-1.vpce.amazonaws.com', {}, 'aws'],
    ['https://lambda.ap-southeast-1.api.aws', {}, 'aws'],
    ['http://127.0.0.1:4566', {}, 'stand-in'],
    ['http://localhost.localstack.cloud:4566', {}, 'stand-in'],
    ['http://amazonaws.com.example', {}, 'stand-in'],
    [undefined, { gateway: 'stand-in' }, 'stand-in'],
  ])('at AWS_ENDPOINT_URL %s with %j, the gateway is %s', (AWS_ENDPOINT_URL, given, gateway) => {
    expect(readAppSettings(given, { AWS_ENDPOINT_URL })).toMatchObject({ gateway });
  });

  test.each<[Readonly<Record<string, string>>, Readonly<Record<string, string>>, boolean]>([
    [{ stage: 'production' }, {}, true],
    [{ stage: 'production', alarms: 'off' }, {}, false],
    [{ stage: 'red' }, {}, false],
    [{ stage: 'red', alarms: 'on' }, {}, true],
    [{ stage: 'red', alarmEmail: 'a@example.com' }, {}, true],
    [{ stage: 'red' }, { ALARM_EMAIL: 'a@example.com' }, true],
  ])('with %j and %j, it has alarms: %s', (given, env, hasAlarms) => {
    expect(readAppSettings(given, env)).toMatchObject({ hasAlarms });
  });

  test('a domain is the address, and a key, a boundary, a vault and a budget are as they are given', () => {
    const given = {
      stage: 'production',
      domain: 'pay.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1-a',
      kmsKey: 'arn:aws:kms:us-east-1:111122223333:key/1-a',
      boundary: 'arn:aws:iam::111122223333:policy/bounds',
      backupVault: 'arn:aws:backup:us-east-1:444455556666:backup-vault:far-away',
      alarmEmail: 'a@example.com',
      ticketEmail: 'b@example.com',
      budget: '300',
    };
    const { domain, certificateArn, ...others } = given;
    expect(readAppSettings(given, {})).toMatchObject({
      ...others,
      domain: { name: domain, certificateArn },
      baseUrl: 'https://pay.example.com',
      budget: 300,
    });
  });

  test.each<[object, object]>([
    [{}, { kind: 'off' }],
    [{ stage: 'production' }, { kind: 'xray' }],
    [{ stage: 'production', traces: 'off' }, { kind: 'off' }],
    [
      { traces: 'otlp', otlpLayer: LAYER, otlpEndpoint: OTLP },
      { kind: 'otlp', layer: LAYER, endpoint: OTLP },
    ],
  ])('with %j, its traces are recorded so: %j', (given, traces) => {
    expect(readAppSettings({ ...given }, {})).toMatchObject({ traces });
  });
});

describe('what a deployment may not choose', () => {
  test.each<[object, object, string]>([
    [{ traces: 'x-ray' }, {}, 'traces takes off, xray, otlp, not "x-ray".'],
    [{ traces: 'otlp' }, {}, 'traces=otlp needs otlpLayer'],
    [{ traces: 'otlp', otlpLayer: 'otel', otlpEndpoint: OTLP }, {}, 'traces=otlp needs otlpLayer'],
    [{ traces: 'otlp', otlpLayer: LAYER }, {}, 'traces=otlp needs otlpEndpoint'],
    [{ traces: 'otlp', otlpLayer: LAYER, otlpEndpoint: 'otel:4318' }, {}, 'traces=otlp needs otlpEndpoint'],
    [
      { traces: 'otlp', otlpLayer: LAYER, otlpEndpoint: 'https://a:b@otel.example.com' },
      {},
      'an address without a password',
    ],
    [{ otlpEndpoint: OTLP }, {}, 'otlpLayer and otlpEndpoint belong to -c traces=otlp.'],
    [{ otlp_layer: LAYER }, {}, '-c otlp_layer= is not a setting. It is spelled otlpLayer.'],
    [{ domain: 'pay.example.com' }, {}, 'domain and certificateArn go together.'],
    [
      { domain: 'https://pay.example.com', certificateArn: 'x' },
      {},
      'domain takes a host name in small letters',
    ],
    [{ domain: 'pay.example.com', certificateArn: 'x' }, {}, 'certificateArn takes a certificate of ACM'],
    [
      {
        domain: 'a.example',
        certificateArn: 'arn:aws:acm:x:111122223333:certificate/1',
        baseUrl: 'https://a.example',
      },
      {},
      'leave baseUrl out',
    ],
    [{ kmsKey: 'alias/payments' }, {}, 'kmsKey takes the ARN of a KMS key'],
    [{ boundary: 'bounds' }, {}, 'boundary takes the ARN of an IAM policy'],
    [{ stage: 'production', backupVault: 'far-away' }, {}, 'backupVault takes the ARN of a vault'],
    [{ backupVault: 'arn:aws:backup:x:111122223333:backup-vault:v' }, {}, 'backupVault is for production'],
    [{ budget: '300' }, {}, 'budget tells the one who gets alarms'],
    [{ budget: 'much' }, { ALARM_EMAIL: 'a@example.com' }, 'budget takes whole US dollars a month'],
    [{ ticketEmail: 'ops' }, {}, 'ticketEmail takes an email address'],
    [{ kmskey: 'x' }, {}, '-c kmskey= is not a setting. It is spelled kmsKey.'],
    [{ gateway: 'off' }, {}, 'gateway takes aws or stand-in, not "off".'],
    [{ gateway: '' }, {}, 'gateway takes aws or stand-in, not "".'],
    [{ stage: 'Red' }, {}, 'A stage is named by'],
    [{}, { STAGE: 'feature/x' }, 'A stage is named by'],
    [{ testKit: 'true' }, {}, 'The test kit is "on" or "off"'],
    [{}, { TEST_KIT: 'On' }, 'The test kit is "on" or "off"'],
    [{ credentials: 'CLI' }, {}, 'credentials takes "cli" alone'],
    [{ credentials: '' }, {}, 'credentials takes "cli" alone'],
    [{ baseUrl: '' }, {}, 'baseUrl is an address'],
    [{ baseUrl: 'pay.example.com' }, {}, 'baseUrl is an address'],
    [{ rollout: 'now' }, {}, 'rollout takes canary or at-once, not "now".'],
    [{ alarms: 'yes' }, {}, 'alarms takes "on" or "off", not "yes".'],
    [{ stage: 'prod' }, {}, 'Production is called "production".'],
    [{ alarmEmail: 'ops' }, {}, 'alarmEmail takes an email address'],
    [{}, { ALARM_EMAIL: 'ops@example.com, dev@example.com' }, 'alarmEmail takes an email address'],
    [{ testkit: 'on' }, {}, '-c testkit= is not a setting. It is spelled testKit.'],
    [{ 'test-kit': 'on' }, {}, '-c test-kit= is not a setting. It is spelled testKit.'],
    [{ ALARM_EMAIL: 'a@example.com' }, {}, '-c ALARM_EMAIL= is not a setting. It is spelled alarmEmail.'],
    [
      { stripeApiUrl: 'https://example.com' },
      {},
      '-c stripeApiUrl= is not a setting. It is spelled STRIPE_API_URL.',
    ],
    [{ workers: 'yes' }, {}, 'workers takes "on" or "off", not "yes".'],
    [{ workers: '' }, {}, 'workers takes "on" or "off"'],
    [{}, { CHOSEN_TABLE: 'payments-dev-TableA1/stream/2026' }, 'Say whether the stage works on this table'],
    [{ table: 'payments-dev-TableA1', workers: 'off' }, {}, 'table takes a table of payments-dev with its'],
    [
      { stage: 'a', table: 'payments-a-b-TableA1/stream/2026', workers: 'off' },
      {},
      'table takes a table of payments-a with its stream',
    ],
    [{ Table: 'x' }, {}, '-c Table= is not a setting. It is spelled table.'],
    [{ Stage: 'production' }, {}, '-c Stage= is not a setting. It is spelled stage.'],
  ])('%j with %j is refused', (given, env, said) => {
    expect(() => readAppSettings({ ...cdk.context, ...given }, { ...env })).toThrow(said);
  });
});
