import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { ALARM_NAMES } from '../../infra/constructs/observability.ts';
import { PaymentStack } from '../../infra/payment-stack.ts';
import {
  METRICS,
  METRICS_NAMESPACE,
  STACK_DIMENSION,
  STACK_VARIABLE,
} from '../../shared/contract/metrics.ts';

const STACK = 'payments-watched';
const outdir = mkdtempSync(path.join(tmpdir(), 'payments-observability-'));
const template = Template.fromStack(new PaymentStack(newApp(), STACK, { isProduction: false }));
const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
const [topicId = ''] = Object.keys(template.findResources('AWS::SNS::Topic'));
const filters = Object.values(template.findResources('AWS::Logs::MetricFilter')).map(
  ({ Properties }) => Properties,
);
const filterOf = (metricName: string) =>
  filters.find(({ MetricTransformations: [counted] }) => counted.MetricName === metricName);

afterAll(() => rm(outdir, { recursive: true, force: true }));

function alarmOf(name: string) {
  return alarms.find(({ AlarmName }) => AlarmName === `${STACK}-${name}`);
}

describe('alarms', () => {
  test('there is one of each name, and its name says the stack', () => {
    const names = alarms.map(({ AlarmName }) => AlarmName);
    expect(names.toSorted()).toEqual(ALARM_NAMES.map((name) => `${STACK}-${name}`).toSorted());
  });

  test.each(ALARM_NAMES)('%s says what it means, where its runbook is, and to whom it rings', (name) => {
    const { AlarmDescription, AlarmActions, OKActions, ActionsEnabled = true } = alarmOf(name);
    expect(AlarmDescription).toMatch(new RegExp(`^[A-Z].{20,}[.] See infra/README[.]md, runbook: ${name}$`));
    expect({ AlarmActions, OKActions, ActionsEnabled }).toEqual({
      AlarmActions: [{ Ref: topicId }],
      OKActions: [{ Ref: topicId }],
      ActionsEnabled: true,
    });
  });

  test.each(ALARM_NAMES)('%s looks at one metric of this stack, without metric math', (name) => {
    const { Metrics, Dimensions, ComparisonOperator } = alarmOf(name);
    expect(Metrics).toBeUndefined();
    expect(ComparisonOperator).toBe('GreaterThanThreshold');
    expect(Dimensions).toHaveLength(1);
    const [{ Value }] = Dimensions;
    const resourceId = Value.Ref ?? Value['Fn::GetAtt']?.[0];
    const isOfThisStack = Value === STACK || Object.hasOwn(template.toJSON().Resources, resourceId);
    expect(isOfThisStack).toBe(true);
  });

  test('silence is no alarm, but of the clock, which speaks every minute', () => {
    for (const name of ALARM_NAMES) {
      const expected = name === 'jobs-late' ? 'breaching' : 'notBreaching';
      expect(alarmOf(name).TreatMissingData, name).toBe(expected);
    }
  });

  test('a job may be late for five minutes, and none may be parked', () => {
    expect(alarmOf('jobs-late')).toMatchObject({ MetricName: 'OldestDueJobAge', Threshold: 300 });
    expect(alarmOf('jobs-parked')).toMatchObject({ MetricName: 'JobsParked', Threshold: 0 });
  });

  test('nobody is woken by default: the topic is named to whoever deploys', () => {
    template.resourceCountIs('AWS::SNS::Subscription', 0);
    template.hasOutput('AlarmTopicArn', { Value: { Ref: topicId } });
  });

  test('the alarms of this stack, and no others, may speak on the topic', () => {
    const [policy] = Object.values(template.findResources('AWS::SNS::TopicPolicy'));
    const allowed = policy?.Properties.PolicyDocument.Statement.filter(
      ({ Effect }: { Effect: string }) => Effect === 'Allow',
    );
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({ Principal: { Service: 'cloudwatch.amazonaws.com' } });
    expect(JSON.stringify(allowed[0].Condition)).toContain(`:alarm:${STACK}-*`);
    expect(allowed[0].Condition.StringEquals).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
  });
});

describe('metrics of our own', () => {
  const own = alarms.filter(({ Namespace }) => !String(Namespace).startsWith('AWS/'));

  test('an alarm waits only for what is reported: by a worker, or counted in the access log', () => {
    const counted = filters.map(({ MetricTransformations }) => MetricTransformations[0].MetricName);
    const reported = [...Object.keys(METRICS), ...counted];
    expect(own).not.toHaveLength(0);
    for (const { Namespace, MetricName, Dimensions } of own) {
      expect(Namespace).toBe(METRICS_NAMESPACE);
      expect(reported).toContain(MetricName);
      expect(Dimensions).toEqual([{ Name: STACK_DIMENSION, Value: STACK }]);
    }
  });

  test('the workers, and they alone, know their stack', () => {
    const functions = Object.values(template.findResources('AWS::Lambda::Function'));
    const told = functions.flatMap(
      ({ Properties }) => Properties.Environment?.Variables[STACK_VARIABLE] ?? [],
    );
    expect(told).toEqual([STACK, STACK, STACK]);
  });

  test('refusals and failures are counted in the log that has their status and their stack', () => {
    const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
    const { DestinationArn, Format } = stage?.Properties.AccessLogSetting ?? {};
    const fields = JSON.parse(Format);
    expect(filters).toHaveLength(3);
    for (const { LogGroupName, FilterPattern, MetricTransformations } of filters) {
      expect(LogGroupName).toEqual({ Ref: DestinationArn['Fn::GetAtt'][0] });
      // A filter that asks for what no line has would count nothing, for ever.
      const asked = [...FilterPattern.matchAll(/\$\.(\w+)/g)].map(([, field]) => field);
      expect(asked.filter((field: string) => !(field in fields))).toEqual([]);
      expect(MetricTransformations).toEqual([
        {
          MetricName: expect.any(String),
          MetricNamespace: METRICS_NAMESPACE,
          MetricValue: '1',
          Dimensions: [{ Key: STACK_DIMENSION, Value: `$.${STACK_DIMENSION}` }],
        },
      ]);
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
    // A sink answers what a test has told it to.
    ['ApiFailed', { status: '500', resource: '/sink/{token}' }, false],
    ['ApiFailed', { status: '503', resource: '/sink/{token}', error_type: 'INTEGRATION_FAILURE' }, true],
  ])('%s counts %j: %s', (metricName, line, isCounted) => {
    const fields = { resource: '/api/v1/payments', error_type: '-', ...line };
    expect(matches(filterOf(metricName)?.FilterPattern, fields)).toBe(isCounted);
  });
});

describe('who is told of alarms', () => {
  test('is nobody in a test stage', () => {
    expect(warningsOf({ isProduction: false })).toEqual([]);
  });

  test('is asked for in production: the synthesis warns where nobody is', () => {
    expect(warningsOf({ isProduction: true })).toEqual([
      expect.stringMatching(/^Nobody is told of alarms in production: .*alarmEmail/),
    ]);
  });

  test('is the address that is named', () => {
    const told = { isProduction: true, alarmEmail: 'ops@example.com' };
    expect(warningsOf(told)).toEqual([]);
    const stack = new PaymentStack(newApp(), STACK, told);
    Template.fromStack(stack).hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
  });
});

test('one dashboard shows every metric that an alarm looks at', () => {
  const [dashboard, ...others] = Object.values(template.findResources('AWS::CloudWatch::Dashboard'));
  expect(others).toEqual([]);
  expect(dashboard?.Properties.DashboardName).toBe(STACK);
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  for (const { MetricName } of alarms) {
    expect(body).toContain(`\\"${MetricName}\\"`);
  }
});

function newApp(): App {
  return new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
}

function warningsOf(props: ConstructorParameters<typeof PaymentStack>[2]): string[] {
  const stack = new PaymentStack(newApp(), STACK, props);
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => String(entry.data));
}

/**
 * Whether CloudWatch counts a line: of its filter patterns for JSON, the part that is used here.
 * @throws Error for any other part
 */
function matches(pattern: string, fields: Readonly<Record<string, string>>): boolean {
  const [, whole = ''] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const decided = whole.replace(
    /\$\.(\w+) (!?=) "([^"]*)"/g,
    (_all, field: string, operator: string, expected: string) => {
      const [start = '', ...more] = expected.split('*');
      const value = fields[field] ?? '';
      const isLike = more.length === 0 ? value === expected : value.startsWith(start);
      return String(isLike === (operator === '='));
    },
  );
  return isTrue(decided);
}

/** A formula of `true`, `false`, `&&`, `||` and brackets, from the innermost out. */
function isTrue(formula: string): boolean {
  if (formula === 'true' || formula === 'false') {
    return formula === 'true';
  }
  const shorter = formula
    .replace(/\((true|false)\)/, '$1')
    .replace(/(true|false) && (true|false)/, (_all, a, b) => String(a === 'true' && b === 'true'))
    .replace(
      /(^|\()(true|false) \|\| (true|false)(?=\)|$)/,
      (_all, open, a, b) => `${open}${a === 'true' || b === 'true'}`,
    );
  if (shorter === formula) {
    throw new Error(`a filter is not understood: ${formula}`);
  }
  return isTrue(shorter);
}
