import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { COUNTED_OF_PROVIDERS } from '../../../infra/aws/constructs/observability.ts';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { duePks } from '../../../shared/store/table/keys.ts';
import { METRICS, METRICS_NAMESPACE, STACK_DIMENSION } from '../../../shared/telemetry/metrics.ts';
import { AT_REST, costOfRest } from '../../bench/cost.ts';
import { matches } from '../../support/tools/filter-pattern.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { STACK, synthesized } from './synthesized.ts';

/** A query of each shard of the due index, of test and of live worlds. */
const TICK_READ_UNITS = (duePks('test').length + duePks('live').length) / 2;
/** It uses a query, by which each merchant has a state of its own. */
const OF_MERCHANT = 'notifications-unmatched-of-merchant';
const { warnings, template } = synthesized({ isProduction: true });
const alarms = Object.values(resourcesOf(template, 'AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
const [pageId = '', ticketId = ''] = Object.keys(resourcesOf(template, 'AWS::SNS::Topic'));
const filters = Object.values(resourcesOf(template, 'AWS::Logs::MetricFilter')).map(
  ({ Properties }) => Properties,
);
const filterOf = (metricName: string) =>
  filters.find(({ MetricTransformations: [counted] }) => counted.MetricName === metricName);

/** One for each line, by the stack that the line names. */
function transformationOf(MetricName: string) {
  const Dimensions = [{ Key: STACK_DIMENSION, Value: `$.${STACK_DIMENSION}` }];
  return { MetricName, MetricNamespace: METRICS_NAMESPACE, MetricValue: '1', Dimensions };
}

function alarmOf(name: string) {
  return alarms.find(({ AlarmName }) => AlarmName === `${STACK}-${name}`);
}

test('all that a stage at rest pays for is in its cost, and an alarm for each of its names', async () => {
  const [tick = ''] = /report\(\{.*\}/.exec(await readFile('functions/workers/clock-tick.ts', 'utf8')) ?? [];
  const mappings = Object.values(resourcesOf(template, 'AWS::Lambda::EventSourceMapping'));
  const schedules = Object.values(resourcesOf(template, 'AWS::Events::Rule')).flatMap(
    ({ Properties: { ScheduleExpression: schedule } }) => schedule ?? [],
  );
  expect(schedules).toEqual(['rate(1 minute)', 'rate(5 minutes)']);
  expect({
    alarms: alarms.length,
    smokesPerHour: 12,
    dashboards: Object.keys(resourcesOf(template, 'AWS::CloudWatch::Dashboard')).length,
    metrics: Object.keys(METRICS).filter((name) => tick.includes(name)).length,
    // Lambda reads the table's stream without a charge.
    polledQueues: mappings.filter(({ Properties }) => Properties.ScalingConfig !== undefined).length,
    ticksPerMinute: 1,
  }).toEqual(AT_REST);
  const figures = await readFile('test/bench/FIGURES.md', 'utf8');
  expect(figures).toContain(costOfRest({ readUnits: TICK_READ_UNITS, writeUnits: 0 }).lines.join('\n'));
});

describe('alarms', () => {
  test('each has a name, says what it means, and names its runbook', async () => {
    const readme = await readFile('infra/README.md', 'utf8');
    for (const { AlarmName, AlarmDescription } of alarms) {
      const [, runbook] =
        /^[A-Z].{20,}[.] See infra\/README[.]md, runbook: ([\w-]+)$/.exec(AlarmDescription) ?? [];
      expect(`${AlarmName}-`).toContain(`${STACK}-${runbook}-`);
      expect(readme).toContain(`\n- \`${runbook}\`: `);
    }
  });

  test('each tells one topic, when it rings and when it is over, and says whom it wakes and why', () => {
    const said = {
      [pageId]: / It wakes the person on call, since .{20,}\. See /,
      [ticketId]: / It wakes nobody and is a ticket, since .{20,}\. See /,
    };
    for (const { AlarmName, AlarmDescription, AlarmActions, OKActions, ActionsEnabled = true } of alarms) {
      expect([AlarmActions, ActionsEnabled], AlarmName).toEqual([[{ Ref: expect.any(String) }], true]);
      expect(OKActions, AlarmName).toEqual(AlarmActions);
      expect(AlarmDescription, AlarmName).toMatch(said[AlarmActions[0].Ref] ?? /^no topic of this stage$/);
      expect(AlarmDescription.length, AlarmName).toBeLessThanOrEqual(1_024);
    }
    expect(new Set(alarms.map(({ AlarmActions }) => AlarmActions[0].Ref))).toEqual(
      new Set([pageId, ticketId]),
    );
  });

  test('each but one looks at one metric; missing data rings those of clock and smoke alone', () => {
    const others = alarms.filter((alarm) => alarm !== alarmOf(OF_MERCHANT));
    expect(others).toHaveLength(alarms.length - 1);
    for (const { AlarmName: name, Metrics, Dimensions, ComparisonOperator, TreatMissingData } of others) {
      expect([Metrics, ComparisonOperator], name).toEqual([undefined, 'GreaterThanThreshold']);
      expect(Dimensions).toHaveLength(1);
      const [{ Value }] = Dimensions;
      const resourceId = Value.Ref ?? Value['Fn::GetAtt']?.[0];
      expect(Value === STACK || Object.hasOwn(template.toJSON().Resources, resourceId), name).toBe(true);
      // The clock reports every minute, and a smoke payment is taken every five.
      const isRegular = [`${STACK}-jobs-late`, `${STACK}-smoke-failing`].includes(name);
      expect(TreatMissingData, name).toBe(isRegular ? 'breaching' : 'notBreaching');
    }
  });

  test('a job may be late for five minutes, and none may be parked', () => {
    expect(alarmOf('jobs-late')).toMatchObject({ MetricName: 'OldestDueJobAge', Threshold: 300 });
    expect(alarmOf('jobs-parked')).toMatchObject({ MetricName: 'JobsParked', Threshold: 0 });
  });

  test('the topics have no subscription by default, and their ARNs are outputs of the stack', () => {
    expect(resourcesOf(template, 'AWS::SNS::Subscription')).toEqual({});
    template.hasOutput('AlarmTopicArn', { Value: { Ref: pageId } });
    template.hasOutput('TicketTopicArn', { Value: { Ref: ticketId } });
  });

  test('the alarms of this stack, and no others, may publish to the topics', () => {
    const policies = Object.values(resourcesOf(template, 'AWS::SNS::TopicPolicy'));
    expect(policies).toHaveLength(2);
    for (const { Properties } of policies) {
      const [allowed, ...others] = Properties.PolicyDocument.Statement.filter(
        ({ Effect }: { Effect: string }) => Effect === 'Allow',
      );
      expect(others).toEqual([]);
      expect(allowed).toMatchObject({ Principal: { Service: 'cloudwatch.amazonaws.com' } });
      expect(JSON.stringify(allowed.Condition)).toContain(`:alarm:${STACK}-*`);
      expect(allowed.Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
    }
  });
});

describe('custom metrics', () => {
  const own = alarms.filter(({ Namespace }) => Namespace !== undefined && !Namespace.startsWith('AWS/'));

  test('an alarm watches only metrics that a worker or the access log reports', () => {
    const counted = filters.map(({ MetricTransformations }) => MetricTransformations[0].MetricName);
    const reported = [...Object.keys(METRICS), ...counted];
    expect(own).not.toHaveLength(0);
    for (const { Namespace, MetricName, Dimensions } of own) {
      expect(Namespace).toBe(METRICS_NAMESPACE);
      expect(reported).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: STACK_DIMENSION, Value: STACK }]);
    }
  });

  test('workers and functions that call providers report the name of their stack', () => {
    const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
    const variables = functions.map(({ Properties }) => Properties.Environment?.Variables ?? {});
    const given = variables.filter((each) => VARIABLES.serviceName in each);
    expect(new Set(given.map((each) => each[VARIABLES.serviceName]))).toEqual(new Set([STACK]));
    const talking = variables.filter((each) => VARIABLES.secretsPrefix in each);
    expect(talking.length).toBeGreaterThan(1);
    expect(talking.filter((each) => !given.includes(each))).toEqual([]);
    // Nor do the clock, the job runner, the deliverer, the latter two of live worlds, and what takes smoke payments.
    expect(given).toHaveLength(talking.length + 8);
  });

  test('provider outcomes are counted in the logs of the API and of the live job runner', () => {
    const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
    const logs = functions
      .filter(({ Properties }) => VARIABLES.secretsPrefix in (Properties.Environment?.Variables ?? {}))
      .map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref);
    for (const [metricName, pattern] of Object.entries(COUNTED_OF_PROVIDERS)) {
      const counting = filters.filter(
        ({ MetricTransformations: [counted] }) => counted.MetricName === metricName,
      );
      expect(new Set(counting.map(({ LogGroupName }) => LogGroupName.Ref))).toEqual(new Set(logs));
      expect(counting.map(({ FilterPattern }) => FilterPattern)).toEqual([pattern, pattern]);
      for (const { MetricTransformations } of counting) {
        expect(MetricTransformations).toEqual([transformationOf(metricName)]);
      }
    }
  });

  test('refusals and failures are counted in the log that has their status and their stack', () => {
    const [stage] = Object.values(resourcesOf(template, 'AWS::ApiGateway::Stage'));
    const { DestinationArn, Format } = stage?.Properties.AccessLogSetting ?? {};
    const fields = JSON.parse(Format);
    const ofRequests = filters.filter(({ LogGroupName }) =>
      JSON.stringify(DestinationArn).includes(`"${LogGroupName.Ref}"`),
    );
    expect(ofRequests).toHaveLength(3);
    for (const { FilterPattern, MetricTransformations } of ofRequests) {
      // A filter on a field that no line has would never count anything.
      const inFilter = [...FilterPattern.matchAll(/\$\.(\w+)/g)].map(([, field]) => field);
      expect(inFilter.filter((field: string) => !(field in fields))).toEqual([]);
      expect(MetricTransformations).toEqual([transformationOf(expect.any(String))]);
    }
    expect(fields[STACK_DIMENSION]).toBe(STACK);
  });

  test.each([
    ['ApiThrottled', { status: '429' }, true],
    ['ApiThrottled', { status: '403' }, false],
    ['ApiRefused', { status: '401' }, true],
    ['ApiRefused', { status: '403' }, true],
    ['ApiRefused', { status: '404' }, false],
    ['ApiFailed', { status: '500' }, true],
    ['ApiFailed', { status: '503' }, true],
    ['ApiFailed', { status: '499' }, false],
    // A sink gives the response that a test has configured.
    ['ApiFailed', { status: '500', resource: '/sink/{token}' }, false],
    ['ApiFailed', { status: '503', resource: '/sink/{token}', error_type: 'INTEGRATION_FAILURE' }, true],
  ])('%s counts %j: %s', (metricName, line, isCounted) => {
    const fields = { resource: '/api/v1/payments', error_type: '-', ...line };
    expect(matches(filterOf(metricName)?.FilterPattern, fields)).toBe(isCounted);
  });
});

test('unmatched notifications raise an alarm for each merchant, whose lines are counted apart', () => {
  const alarm = alarmOf(OF_MERCHANT);
  expect(alarm).toMatchObject({ Threshold: 0, EvaluationPeriods: 1, TreatMissingData: 'notBreaching' });
  expect(alarm?.Metrics).toEqual([
    {
      Id: 'expr_1',
      Period: 300,
      ReturnData: true,
      Expression: `SELECT SUM(NotificationUnmatchedOfMerchant) FROM SCHEMA("${METRICS_NAMESPACE}", merchant, ${STACK_DIMENSION}) WHERE ${STACK_DIMENSION} = '${STACK}' GROUP BY merchant ORDER BY SUM() DESC`,
    },
  ]);
  const filter = filterOf('NotificationUnmatchedOfMerchant');
  expect(filter?.FilterPattern).toBe(COUNTED_OF_PROVIDERS.NotificationUnmatched);
  expect(filter?.MetricTransformations).toEqual([
    {
      ...transformationOf('NotificationUnmatchedOfMerchant'),
      Dimensions: [
        { Key: STACK_DIMENSION, Value: `$.${STACK_DIMENSION}` },
        { Key: 'merchant', Value: '$.merchant' },
      ],
    },
  ]);
});

test('a test stage has alarms where it asks for them, but none for each merchant or for smoke', {
  tags: 'slow',
}, () => {
  const asking = synthesized({ isProduction: false, hasAlarms: true, alarmEmail: 'ops@example.com' });
  const asked = Object.values(resourcesOf(asking.template, 'AWS::CloudWatch::Alarm'));
  const names = asked.map(({ Properties }) => Properties.AlarmName);
  // Smoke payments are taken in production alone.
  expect([...names, `${STACK}-${OF_MERCHANT}`, `${STACK}-smoke-failing`].toSorted()).toEqual(
    alarms.map(({ AlarmName }) => AlarmName).toSorted(),
  );
  const subscriptions = Object.values(resourcesOf(asking.template, 'AWS::SNS::Subscription'));
  // Of both topics, so that whoever got every alarm still does.
  expect(subscriptions.map(({ Properties }) => Properties.Endpoint)).toEqual(
    Array(2).fill('ops@example.com'),
  );
  expect(asking.warnings).toEqual([]);
});

test('the synthesis of production warns if nobody gets its alarms', () => {
  expect(warnings).toEqual([expect.stringMatching(/^Alarms of production have no recipient: .*alarmEmail/)]);
});

test('one dashboard shows every metric that an alarm looks at', () => {
  const [dashboard, ...others] = Object.values(resourcesOf(template, 'AWS::CloudWatch::Dashboard'));
  expect(others).toEqual([]);
  expect(dashboard?.Properties.DashboardName).toBe(STACK);
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  for (const { MetricName } of alarms.filter(({ Metrics }) => Metrics === undefined)) {
    expect(body).toContain(`\\"${MetricName}\\"`);
  }
});
