import { describe, expect, test } from 'vitest';
import { VARIABLES } from '../../../shared/environment/variables.ts';
import { resourcesOf } from '../../support/tools/resources-of.ts';
import { textOf } from './describe-template.ts';
import {
  chosen,
  functionNames,
  functionOf,
  idsOf,
  ORIGIN,
  production,
  roles,
  rows,
  statementsOfRole,
  template,
  variablesOf,
  WORKERS,
} from './stages.ts';
import { synthesized } from './synthesized.ts';

/** All of them: a function that is added here may use the secrets that move money. */
const TALKING_TO_PROVIDERS = [
  'act-on-checkout',
  'cancel-payment',
  'create-payment',
  'live-job-runner',
  'pay-by-link',
  'receive-notification',
];

describe('grants', () => {
  // grants.test.ts checks what each role may do to the table.
  test('beyond the table and its logs, a role may do this and nothing else', () => {
    const reporting = 'sqs:SendMessage on ClockAndJobsUnhandled';
    const publishing = 'events:PutEvents on ClockAndJobsBus';
    const receiving = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].flatMap((action) =>
      ['LiveReceiversDue', 'ReceiversDue'].map((queue) => `sqs:${action} on ClockAndJobs${queue}`),
    );
    const streaming = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
      (action) => `dynamodb:${action} on the stream of Table`,
    );
    const secrets =
      'secretsmanager:GetSecretValue on arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:payments-test/providers/*';
    const beyond = [...roles].map(([roleId, names]) => {
      const grants = grantsOf(roleId).filter((grant) => !/ on (logs of |Table$|Table\/index\/)/.test(grant));
      return [names.toSorted().join(' '), grants.toSorted()] as const;
    });
    expect(Object.fromEntries(beyond.filter(([, grants]) => grants.length > 0))).toEqual({
      'clock-tick': [publishing, reporting],
      'job-runner live-dispatcher': [...streaming, publishing, reporting],
      'deliverer live-deliverer': [publishing, ...receiving, reporting].toSorted(),
      'live-job-runner': [secrets, reporting],
      'cancel-payment create-payment': [secrets],
      'act-on-checkout pay-by-link': [secrets],
      'receive-notification': [secrets],
    });
  });

  test('a role writes only the logs of its functions; those of the API share one', () => {
    for (const [roleId, names] of roles) {
      const logs = [...new Set(names.map((name) => `logs of ${plain(logOf(name))}`))];
      const expected = ['logs:CreateLogStream', 'logs:PutLogEvents'].flatMap((action) =>
        logs.map((log) => `${action} on ${log}`),
      );
      expect(
        grantsOf(roleId)
          .filter((grant) => grant.startsWith('logs:'))
          .toSorted(),
      ).toEqual(expected.toSorted());
    }
    const sharing = [...Map.groupBy(functionNames, logOf).values()].map(({ length }) => length);
    expect(sharing.toSorted((a, b) => b - a)).toEqual([rows.length + 1, ...WORKERS.map(() => 1)]);
  });

  test('no policy has a wildcard action, or a resource outside of this stack', () => {
    const statements = idsOf('AWS::IAM::Role').flatMap(statementsOfRole);
    expect(statements).not.toHaveLength(0);
    for (const { actions, arns } of statements) {
      expect(actions.join(' ')).not.toContain('*');
      for (const arn of arns) {
        expect(textOf(arn)).toMatch(
          /^<\w+[.](Arn|StreamArn)>(\/index\/\w+)?$|:secret:payments-test\/providers\/\*$/,
        );
      }
    }
    // What is in none of these, and would be in force as well.
    expect(idsOf('AWS::IAM::Policy')).toEqual([]);
  });

  test('only functions that call providers know where secrets are, and a custom origin', () => {
    for (const name of functionNames) {
      const isTalking = TALKING_TO_PROVIDERS.includes(name);
      const prefix = isTalking ? 'payments-test/providers/' : undefined;
      expect(variablesOf(name)[VARIABLES.secretsPrefix], name).toBe(prefix);
      const origin = isTalking ? ORIGIN.STRIPE_API_URL : undefined;
      expect(variablesOf(name, chosen.template).STRIPE_API_URL, name).toBe(origin);
    }
    expect(() => synthesized({ isProduction: true }, ORIGIN)).toThrow('no other origin in production');
  });

  test('a function gets the name of the table if, and only if, its role may use it', () => {
    for (const [roleId, names] of roles) {
      const mayUse = grantsOf(roleId).some((grant) => grant.startsWith('dynamodb:'));
      for (const name of names) {
        expect(textOf(variablesOf(name)[VARIABLES.tableName] ?? ''), name).toBe(
          mayUse ? '<TableCD117FA1>' : '',
        );
      }
    }
  });

  test('queues and topics accept only TLS, and no other account or stack', () => {
    const types = ['AWS::SQS::QueuePolicy', 'AWS::SNS::TopicPolicy'];
    const policies = types.flatMap((type) => Object.values(resourcesOf(production.template, type)));
    expect(policies).toHaveLength(5);
    for (const { Properties } of policies) {
      const [tls, ...others] = Properties.PolicyDocument.Statement;
      expect(tls).toMatchObject({
        Effect: 'Deny',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      });
      expect(others).not.toHaveLength(0);
      for (const { Effect, Action, Principal, Condition } of others) {
        expect(Effect).toBe('Allow');
        // Where a rule puts its events into a queue, it may look at the queue, too.
        const looking = ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'];
        const doing = [Action].flat().filter((action) => !looking.includes(action));
        expect(['sqs:SendMessage', 'sns:Publish']).toContain(doing.join());
        expect(Principal.Service).toMatch(/^(events|cloudwatch)\.amazonaws\.com$/);
        expect(JSON.stringify(Condition)).toContain('aws:SourceArn');
      }
    }
  });
});

function logOf(name: string): string {
  return functionOf(name).LoggingConfig.LogGroup.Ref;
}

/** `dynamodb:GetItem on Table`, `sqs:SendMessage on ClockAndJobsUnhandled`, … */
function grantsOf(roleId: string): string[] {
  return statementsOfRole(roleId).flatMap(({ actions, arns }) =>
    actions.flatMap((action) => arns.map((arn) => `${action} on ${placeOf(arn)}`)),
  );
}

function placeOf(arn: unknown): string {
  const [, id = '', attribute, rest = ''] = /^<(\w+)[.](\w+)>(.*)$/.exec(textOf(arn)) ?? [];
  if (id === '') {
    return textOf(arn);
  }
  const isLog = id in resourcesOf(template, 'AWS::Logs::LogGroup');
  return `${isLog ? 'logs of ' : attribute === 'StreamArn' ? 'the stream of ' : ''}${plain(id)}${rest}`;
}

/** A logical id without the hash at its end. */
function plain(id: string): string {
  return id.replace(/[0-9A-F]{8}$/, '');
}
