import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
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
const app = new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
const template = Template.fromStack(new PaymentStack(app, STACK, { isProduction: false }));
const alarms = Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);
const [topicId = ''] = Object.keys(template.findResources('AWS::SNS::Topic'));
const [filter, ...otherFilters] = Object.values(template.findResources('AWS::Logs::MetricFilter'));
const [counted] = filter?.Properties.MetricTransformations ?? [];

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
    const reported = [...Object.keys(METRICS), counted.MetricName];
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
      ({ Properties }) => Properties.Environment.Variables[STACK_VARIABLE] ?? [],
    );
    expect(told).toEqual([STACK, STACK]);
  });

  test('a request that is answered 429 is counted, in the log that has its status and its stack', () => {
    expect(otherFilters).toEqual([]);
    const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'));
    const { DestinationArn, Format } = stage?.Properties.AccessLogSetting ?? {};
    const fields = JSON.parse(Format);
    expect(filter?.Properties).toMatchObject({
      LogGroupName: { Ref: DestinationArn['Fn::GetAtt'][0] },
      FilterPattern: '{ $.status = "429" }',
    });
    expect(fields.status).toBe('$context.status');
    expect(counted).toMatchObject({
      MetricNamespace: METRICS_NAMESPACE,
      MetricValue: '1',
      Dimensions: [{ Key: STACK_DIMENSION, Value: `$.${STACK_DIMENSION}` }],
    });
    expect(fields[STACK_DIMENSION]).toBe(STACK);
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
