import { readFile } from 'node:fs/promises';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import cdk from '../../../cdk.json' with { type: 'json' };
import { RESERVED } from '../../../infra/aws/constructs/clock-and-jobs.ts';
import { JOB_RUNNER_TIMEOUT_SECONDS, TICK_MINUTES, WAKING_KINDS } from '../../../shared/contract/bus.ts';
import { FUNCTION_TIMEOUT_SECONDS } from '../../../shared/contract/operation.ts';
import { UNKNOWN_ROUTE_FUNCTION } from '../../../shared/contract/routes.ts';
import { MODES } from '../../../shared/domain/world.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { RUNNER_SLOTS_MAX } from '../../../shared/store/scheduler/runner-slots.ts';
import { DUE_PREFIXES, dueIndex } from '../../../shared/store/table/keys.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { describeTemplate } from './describe-template.ts';
import {
  documentOf,
  everyTemplate,
  functionIds,
  functionNames,
  functionOf,
  idsOf,
  longer,
  production,
  rows,
  SMOKING,
  stack,
  template,
  valuesOf,
  WORKERS,
} from './stages.ts';
import { synthesized } from './synthesized.ts';

/** The ARN of an alias of a function with the longest name, in the region with the longest. */
const ARN_CHARS_MAX = 125;

const [queueId = '', ...dueIds] = idsOf('AWS::SQS::Queue');

test('cdk.json has every flag as CDK recommends it', async () => {
  const recommended = await readFile('node_modules/aws-cdk-lib/recommended-feature-flags.json', 'utf8');
  expect(cdk.context).toEqual(JSON.parse(recommended));
});

test('production is what the snapshot says', () => {
  expect(describeTemplate(production.template)).toMatchSnapshot();
});

test('a test stage differs from production by what the snapshot says', () => {
  const inProduction = describeTemplate(production.template);
  expect(describeTemplate(template).filter((each) => !inProduction.includes(each))).toMatchSnapshot();
});

test('a function has the time-out of its row, or the one that its code assumes', () => {
  for (const { name, timeoutSeconds } of rows) {
    expect(functionOf(name).Timeout, name).toBe(timeoutSeconds ?? FUNCTION_TIMEOUT_SECONDS);
  }
  for (const name of WORKERS.slice(1)) {
    expect(functionOf(name).Timeout, name).toBe(JOB_RUNNER_TIMEOUT_SECONDS);
  }
  // A tick has ended before the next one begins.
  expect(functionOf('clock-tick').Timeout).toBeLessThan(TICK_MINUTES * 60);
});

describe('limits', () => {
  test('production throttles public methods more than those with a key, and a test stage all alike', () => {
    const [inTest, inProduction] = everyTemplate.map((each) => {
      const [stage] = Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage'));
      const settings: Record<string, unknown>[] = stage?.Properties.MethodSettings ?? [];
      return new Map(
        settings.map(({ HttpMethod, ResourcePath, ThrottlingRateLimit, ThrottlingBurstLimit }) => [
          // The root is a slash; of every other path, each slash is written as ~1 after the first one.
          `${HttpMethod} ${ResourcePath === '/' ? '/' : String(ResourcePath).slice(1).replaceAll('~1', '/')}`,
          { rate: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) },
        ]),
      );
    });
    expect([...(inTest ?? [])]).toEqual([['* *', { rate: 200, burst: 400 }]]);
    const { '* *': keyed, ...open } = Object.fromEntries(inProduction ?? []);
    expect(keyed?.rate).toBeGreaterThan(200);
    const anybodys = rows.filter(({ permission }) => permission === null);
    expect(Object.keys(open).toSorted()).toEqual(
      anybodys.map(({ method, path }) => `${method} ${path}`).toSorted(),
    );
    for (const { rate, burst } of Object.values(open)) {
      expect(rate).toBeLessThan(keyed?.rate ?? 0);
      expect(burst).toBeLessThan(keyed?.burst ?? 0);
    }
  });

  test('production limits the concurrency of workers, public functions and posting functions', () => {
    const [inTest, inProduction] = everyTemplate.map((each) =>
      functionNames.flatMap((name) => {
        const reserved = functionOf(name, each).ReservedConcurrentExecutions;
        return reserved === undefined ? [] : [[name, reserved] as const];
      }),
    );
    // A new account may run 10 functions in all: a reservation would fail the deployment.
    expect(inTest).toEqual([]);
    const anybodys = rows.filter(({ permission }) => permission === null).map(({ name }) => name);
    // grants.test.ts sees to it that these are all of the API that post.
    const posting = ['advance-clock', 'send-test-event'];
    expect(inProduction?.map(([name]) => name).toSorted()).toEqual(
      [...WORKERS, ...anybodys, ...posting, UNKNOWN_ROUTE_FUNCTION].toSorted(),
    );
    const reserved = inProduction?.map(([, howMany]) => howMany) ?? [];
    expect(Math.min(...reserved)).toBeGreaterThan(0);
    // Most of the account's 1,000 is left to functions that require a key; Lambda refuses to reserve the last 100.
    expect(reserved.reduce((sum, howMany) => sum + howMany, 0)).toBeLessThan(500);
  });

  test('a test stage has at most 150 resources, and no alarm, dashboard or firewall', () => {
    const [inTest, inProduction] = everyTemplate.map(countOf);
    console.log(`A test stage has ${inTest} resources, production ${inProduction}, of 500.`);
    expect(inTest).toBeLessThanOrEqual(150);
    expect(inProduction).toBeLessThanOrEqual(280);
    const types = Object.values<{ Type: string }>(template.toJSON().Resources).map(({ Type }) => Type);
    expect(
      types.filter((type) => /::(CloudWatch|SNS|WAFv2|KMS|SecretsManager|EC2)::|MetricFilter/.test(type)),
    ).toEqual([]);
  });

  test('a stage has no more roles than infra/README.md says, of the 1,000 of an account', async () => {
    const { length } = idsOf('AWS::IAM::Role');
    const [, stages, most] =
      /\| About (\d+) stages in an account: .* a stage has at most (\d+) \|/.exec(
        await readFile('infra/README.md', 'utf8'),
      ) ?? [];
    expect(length).toBeLessThanOrEqual(Number(most));
    expect(Number(stages)).toBeGreaterThanOrEqual(50);
    expect(Number(stages) * Number(most)).toBeLessThanOrEqual(1_000);
  });

  test('a hundred operations fit the limits on resources, template size and policy size', () => {
    const text = JSON.stringify(longer.template.toJSON());
    console.log(
      `100 operations are ${countOf(longer.template)} resources and ${Math.ceil(text.length / 1_000)} KB.`,
    );
    // Each new one is a function.
    expect(countOf(longer.template)).toBe(countOf(production.template) + 100 - rows.length);
    expect(text.length).toBeLessThan(500_000);
    for (const { Properties } of Object.values(resourcesOf(longer.template, 'AWS::IAM::Role'))) {
      const inline: object[] = (Properties.Policies ?? []).map(
        ({ PolicyDocument }: { PolicyDocument: object }) => PolicyDocument,
      );
      expect(inline.map(sizeOf).reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(10_240);
    }
    const managed = Object.values(resourcesOf(longer.template, 'AWS::IAM::ManagedPolicy'));
    expect(managed.length).toBeLessThanOrEqual(10);
    for (const { Properties } of managed) {
      expect(sizeOf(Properties.PolicyDocument)).toBeLessThanOrEqual(6_144);
    }
  });
});

test('a stage without the test kit has no function and no route of it, and its functions know', {
  tags: 'slow',
}, () => {
  const { template: lean, functionIds: ids } = synthesized({ isProduction: true, hasTestKit: false });
  const left = rows.filter(({ id }) => !id.startsWith('testkit.'));
  const expected = [...left.map(({ name }) => name), UNKNOWN_ROUTE_FUNCTION, ...WORKERS, ...SMOKING];
  expect([...ids.keys()].toSorted()).toEqual(expected.toSorted());
  const paths = Object.keys(documentOf(lean).paths);
  expect(paths.filter((path) => /^\/(api\/v1\/test|sink)/.test(path))).toEqual([]);
  expect(paths).toEqual(expect.arrayContaining(left.map(({ path }) => path)));
  expect(valuesOf(VARIABLES.testKit, lean)).toEqual([...left, null, ...SMOKING].map(() => 'off'));
  expect(everyTemplate.flatMap((each) => valuesOf(VARIABLES.testKit, each))).toEqual([]);
});

describe('logs', () => {
  const stages = everyTemplate.flatMap((each) => Object.values(resourcesOf(each, 'AWS::ApiGateway::Stage')));

  test('the access log has an address and a request id; no body, key, query or real path', () => {
    expect(stages).toHaveLength(everyTemplate.length);
    for (const { Properties } of stages) {
      const { service, ...fields } = JSON.parse(Properties.AccessLogSetting.Format);
      expect(service).toBe('payments-test');
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(['request_id', 'source_ip']));
      expect(Object.values(fields).join(' ')).not.toMatch(
        /\.path\b|\.requestOverride|authorizer|apiKey|body|query/i,
      );
      // The execution log would contain bodies.
      for (const { DataTraceEnabled = false, LoggingLevel = 'OFF' } of Properties.MethodSettings) {
        expect({ DataTraceEnabled, LoggingLevel }).toEqual({ DataTraceEnabled: false, LoggingLevel: 'OFF' });
      }
    }
    expect(idsOf('AWS::ApiGateway::Account')).toEqual([]);
  });

  test('are kept for a month; in production addresses for 90 days, all else 13 months', () => {
    const kept = everyTemplate.map((each, index) => {
      const destination = JSON.stringify(stages[index]?.Properties.AccessLogSetting.DestinationArn);
      const logs = Object.entries(resourcesOf(each, 'AWS::Logs::LogGroup'));
      // The firewall and smoke payments are production's.
      expect(logs).toHaveLength(2 + WORKERS.length + 2 * index);
      return logs.map(([id, { Properties }]) => {
        const hasAddresses = destination.includes(`"${id}"`) || id.startsWith('Firewall');
        return `${hasAddresses ? 'addresses' : 'others'} ${Properties.RetentionInDays}`;
      });
    });
    expect(kept.map((each) => [...new Set(each)].toSorted())).toEqual([
      ['addresses 30', 'others 30'],
      ['addresses 90', 'others 400'],
    ]);
  });
});

describe('what happens without a request', () => {
  const mappings = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
  const mappingOf = (name: string) =>
    mappings.find(({ Properties }) => Properties.FunctionName.Ref === functionIds.get(name))?.Properties;

  test('a fresh event wakes the runner of its mode without the tick; no other item does', () => {
    expect(mappings).toHaveLength(4);
    for (const [mode, runner] of [
      ['test', 'job-runner'],
      ['live', 'live-dispatcher'],
    ] as const) {
      const patterns = mappingOf(runner)?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
        JSON.parse(Pattern),
      );
      const image = { kind: { S: [...WAKING_KINDS] }, duePk: { S: [{ prefix: DUE_PREFIXES[mode] }] } };
      expect(patterns).toEqual([{ eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: image } }]);
      const { duePk } = dueIndex({ id: 'w', epoch: 1, mode }, 'pay_1', 0);
      expect(MODES.filter((other) => duePk.startsWith(DUE_PREFIXES[other]))).toEqual([mode]);
    }
  });

  test('live deliveries have a queue and room that test worlds cannot take', () => {
    for (const [mode, deliverer, dueId, atOnce] of [
      ['test', 'deliverer', dueIds[0], 20],
      ['live', 'live-deliverer', dueIds[1], 30],
    ] as const) {
      expect(mappingOf(deliverer)).toMatchObject({
        EventSourceArn: { 'Fn::GetAtt': [dueId, 'Arn'] },
        BatchSize: 1,
        ScalingConfig: { MaximumConcurrency: atOnce },
      });
      expect(RESERVED[deliverer]).toBeGreaterThanOrEqual(atOnce);
      expect(RUNNER_SLOTS_MAX[mode]).toBeLessThan(atOnce / 2);
    }
  });

  test.each(everyTemplate)(
    'a message that a function keeps failing on is set aside before it expires',
    (each) => {
      const queues = resourcesOf(each, 'AWS::SQS::Queue');
      const feeding = Object.values(resourcesOf(each, 'AWS::Lambda::EventSourceMapping')).flatMap(
        ({ Properties: { EventSourceArn, FunctionName } }) => {
          const queue = queues[EventSourceArn['Fn::GetAtt']?.[0]];
          // In production, the name in the ARN of its alias.
          const alias = FunctionName['Fn::Join']?.[1][0]['Fn::Select'][1]['Fn::Split'][1].Ref;
          const of = resourcesOf(each, 'AWS::Lambda::Alias')[alias]?.Properties.FunctionName ?? FunctionName;
          return queue === undefined ? [] : [{ queue, functionId: of.Ref }];
        },
      );
      expect(feeding).toHaveLength(dueIds.length);
      for (const { queue, functionId } of feeding) {
        const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy } = queue.Properties;
        const { Timeout } = resourcesOf(each, 'AWS::Lambda::Function')[functionId]?.Properties ?? {};
        // AWS's own advice: six times the time-out of the function.
        expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Timeout);
        expect(MessageRetentionPeriod).toBeGreaterThan(VisibilityTimeout * RedrivePolicy.maxReceiveCount);
        expect(RedrivePolicy.deadLetterTargetArn).toEqual({ 'Fn::GetAtt': [queueId, 'Arn'] });
        // What is set aside keeps its age: there it must be kept for longer.
        expect(queues[queueId]?.Properties.MessageRetentionPeriod).toBeGreaterThan(
          2 * MessageRetentionPeriod,
        );
      }
    },
  );
});

describe('stages', () => {
  /** Resources that keep data after their stage unless they are configured to be deleted. */
  const stateful = ['AWS::DynamoDB::Table', 'AWS::Logs::LogGroup', 'AWS::SQS::Queue'];
  const policiesOf = (each: Template) =>
    Object.values<{ Type: string; DeletionPolicy?: string; UpdateReplacePolicy?: string }>(
      each.toJSON().Resources,
    ).map(({ Type, DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }) => ({
      isStateful: stateful.includes(Type),
      policy: `${DeletionPolicy} ${UpdateReplacePolicy}`,
    }));

  test('a test stage leaves nothing behind', () => {
    expect(stack.terminationProtection).toBe(false);
    expect(policiesOf(template).filter(({ policy }) => policy !== 'Delete Delete')).toEqual([]);
  });

  test('production retains and protects its table, its logs and its failure queues', () => {
    expect(production.stack.terminationProtection).toBe(true);
    const kept = policiesOf(production.template).filter(({ isStateful }) => isStateful);
    expect(kept.map(({ policy }) => policy)).toEqual(kept.map(() => 'Retain Retain'));
    expect(kept.length).toBeGreaterThan(stateful.length);
    production.template.hasResourceProperties('AWS::DynamoDB::Table', {
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
  });

  test('the outputs of a stack name the API, its base URL, the table and any topic of alarms', () => {
    const [inTest, inProduction] = everyTemplate.map((each) => Object.keys(each.toJSON().Outputs).toSorted());
    const names = ['ApiEndpoint4F160690', 'ApiId', 'BaseUrl', 'TableName', 'UnhandledQueueUrl'];
    expect(inTest).toEqual(names);
    expect(inProduction).toEqual(['AlarmTopicArn', ...names, 'TicketTopicArn'].toSorted());
  });
});

function countOf(each: Template): number {
  return Object.keys(each.toJSON().Resources).length;
}

/** How long a policy may become, in characters: an ARN in it is no longer than this. */
function sizeOf(policy: object): number {
  const arn = 'x'.repeat(ARN_CHARS_MAX);
  return JSON.stringify(policy, (_key, value) =>
    value?.['Fn::GetAtt'] || value?.['Fn::Join'] || value?.Ref ? arn : value,
  ).length;
}
