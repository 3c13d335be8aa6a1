import { describe, expect, test } from 'vitest';
import { movesMoney } from '../../../infra/aws/grants.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { textOf } from './describe-template.ts';
import { documentOf, idOf, production, rows, template, WORKERS } from './stages.ts';
import { STACK, synthesized } from './synthesized.ts';

/** All of them: a function that is added here is one that moves money. */
const MOVING_MONEY = [
  'act-on-checkout',
  'cancel-payment',
  'cancel-refund',
  'create-payment',
  'mark-payment-handled',
  'pay-by-link',
  'receive-notification',
  'request-refund',
];
const ON_TRIAL = [...MOVING_MONEY, ...WORKERS];

const { template: inProduction, functionIds } = production;
const aliases = resourcesOf(inProduction, 'AWS::Lambda::Alias');
const aliasIds = new Map(
  Object.entries(aliases).map(([id, { Properties }]) => [nameOf(Properties.FunctionName), id]),
);

/** The name of the function that a reference in production means. */
function nameOf(reference: object): string | undefined {
  return [...functionIds].find(([, id]) => id === idOf(reference))?.[0];
}

function functionIn(name: string) {
  return resourcesOf(inProduction, 'AWS::Lambda::Function')[functionIds.get(name) ?? '']?.Properties ?? {};
}

function groupsOf(each = inProduction) {
  return Object.values(resourcesOf(each, 'AWS::CodeDeploy::DeploymentGroup')).map(
    ({ Properties }) => Properties,
  );
}

/** What a role may do, in itself and by policies beside it. */
function statementsOf(roleId: string): { Action: string | string[]; Resource: object | object[] }[] {
  const beside = Object.values(resourcesOf(inProduction, 'AWS::IAM::Policy')).filter(({ Properties }) =>
    Properties.Roles.some((role: object) => idOf(role) === roleId),
  );
  const role = resourcesOf(inProduction, 'AWS::IAM::Role')[roleId];
  const documents = [...(role?.Properties.Policies ?? []), ...beside.map(({ Properties }) => Properties)];
  return documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

test('what moves money is what may write a payment or a refund of a live world', () => {
  const moving = rows.filter(movesMoney).map(({ name }) => name);
  expect(moving.toSorted()).toEqual(MOVING_MONEY);
});

test('a test stage has no version, no alias and no deployment group', () => {
  for (const type of ['Lambda::Version', 'Lambda::Alias', 'CodeDeploy::DeploymentGroup']) {
    expect(resourcesOf(template, `AWS::${type}`), type).toEqual({});
  }
});

describe('in production', () => {
  test('what moves money and each worker has an alias on its newest version, and nothing else has', () => {
    expect([...aliasIds.keys()].toSorted()).toEqual(ON_TRIAL.toSorted());
    const versions = resourcesOf(inProduction, 'AWS::Lambda::Version');
    for (const { Properties } of Object.values(aliases)) {
      const version = versions[idOf(Properties.FunctionVersion) ?? ''];
      expect(version?.Properties.FunctionName).toEqual(Properties.FunctionName);
    }
  });

  test('a new version gets a tenth of the calls for five minutes, and goes back if an alarm rings', () => {
    const groups = groupsOf();
    expect(groups).toHaveLength(ON_TRIAL.length);
    const watching = resourcesOf(inProduction, 'AWS::CloudWatch::Alarm');
    const errors = ['clock', 'runner', 'live-dispatcher', 'live-runner', 'deliverer', 'live-deliverer'];
    const ofApi = ['api-failing', 'jobs-late'].map((name) => `${STACK}-${name}`);
    const ofWorkers = [...ofApi, ...errors.map((name) => `${STACK}-${name}-failing`)];
    const rung: string[] = [];
    for (const { DeploymentConfigName, AlarmConfiguration, AutoRollbackConfiguration } of groups) {
      expect(textOf(DeploymentConfigName)).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
      expect(AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      });
      const alarms = AlarmConfiguration.Alarms.map(
        ({ Name }: { Name: object }) => watching[idOf(Name) ?? '']?.Properties.AlarmName,
      );
      rung.push(alarms.toSorted().join(' '));
      // A group takes no more.
      expect(alarms.length).toBeLessThanOrEqual(10);
    }
    const of = (names: readonly string[], alarms: readonly string[]) =>
      names.map(() => alarms.toSorted().join(' '));
    expect(rung.toSorted()).toEqual([...of(MOVING_MONEY, ofApi), ...of(WORKERS, ofWorkers)].toSorted());
  });

  test('every call, rule and queue that leads to one of them leads to its alias', () => {
    const routes = Object.values(documentOf(inProduction).paths).flatMap((each) => Object.values(each));
    const called = routes.map((route) => textOf(route['x-amazon-apigateway-integration'].uri));
    const rules = Object.values(resourcesOf(inProduction, 'AWS::Events::Rule')).flatMap(({ Properties }) =>
      Properties.Targets.map(({ Arn }: { Arn: object }) => textOf(Arn)),
    );
    const mappings = Object.values(resourcesOf(inProduction, 'AWS::Lambda::EventSourceMapping')).map(
      ({ Properties }) => JSON.stringify(Properties.FunctionName),
    );
    const leading = [...called, ...rules, ...mappings];
    for (const name of ON_TRIAL) {
      const alias = String(aliasIds.get(name));
      expect(
        leading.some((each) => each.includes(alias)),
        name,
      ).toBe(true);
      // The function itself would be its newest code.
      expect(
        leading.filter((each) => each.includes(`<${functionIds.get(name)}.Arn>`)),
        name,
      ).toEqual([]);
    }
  });

  test('a worker that fails behind its alias is neither called again nor forgotten', () => {
    const invoked = Object.values(resourcesOf(inProduction, 'AWS::Lambda::EventInvokeConfig'));
    const qualified = invoked.filter(({ Properties }) => Properties.Qualifier !== '$LATEST');
    expect(qualified.map(({ Properties }) => nameOf(Properties.FunctionName)).toSorted()).toEqual(
      WORKERS.toSorted(),
    );
    for (const { Properties } of qualified) {
      expect(Properties).toMatchObject({ MaximumRetryAttempts: 0, DestinationConfig: expect.anything() });
    }
  });

  test('new versions are tried by a check that may call them and report, and nothing else', () => {
    const updates = Object.values(aliases).map((alias) => {
      const { BeforeAllowTrafficHook, ...update } = alias.UpdatePolicy.CodeDeployLambdaAliasUpdate;
      expect(Object.keys(update)).toEqual(['ApplicationName', 'DeploymentGroupName']);
      return [nameOf(alias.Properties.FunctionName), nameOf(BeforeAllowTrafficHook)] as const;
    });
    for (const [check, names] of Object.entries({ 'check-api': MOVING_MONEY, 'check-workers': WORKERS })) {
      const tried = updates.flatMap(([name, by]) => (by === check ? name : []));
      expect(tried.toSorted()).toEqual(names.toSorted());
      const versions = JSON.parse(textOf(functionIn(check).Environment.Variables.NEW_VERSIONS));
      expect(Object.keys(versions).toSorted()).toEqual(names.toSorted());
      const roleId = idOf(functionIn(check).Role) ?? '';
      const statements = statementsOf(roleId);
      const called = statements.filter(({ Action }) => Action === 'lambda:InvokeFunction');
      expect(called.flatMap(({ Resource }) => [Resource].flat().map(textOf)).toSorted()).toEqual(
        Object.values(versions).toSorted(),
      );
      expect([...new Set(statements.flatMap(({ Action }) => Action))].toSorted()).toEqual([
        'codedeploy:PutLifecycleEventHookExecutionStatus',
        'lambda:InvokeFunction',
        'logs:CreateLogStream',
        'logs:PutLogEvents',
        'secretsmanager:GetSecretValue',
      ]);
    }
  });

  test('a repair can be deployed while alarms ring', () => {
    const { template: repaired } = synthesized({ isProduction: true, rollout: 'at-once' });
    expect(groupsOf(repaired)).toHaveLength(ON_TRIAL.length);
    for (const { DeploymentConfigName, AlarmConfiguration } of groupsOf(repaired)) {
      expect(textOf(DeploymentConfigName)).toBe('CodeDeployDefault.LambdaAllAtOnce');
      expect(AlarmConfiguration?.Alarms ?? []).toEqual([]);
    }
  });
});
