import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App, type CfnElement, type Stack, Validations } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { CfnQueuePolicy, Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, describe, expect, test } from 'vitest';
import { checkSecurity, rulesFor } from '../../../infra/aws/check-security.ts';
import { GatewayLogsStack } from '../../../infra/aws/gateway-logs-stack.ts';
import { PaymentStack } from '../../../infra/aws/payment-stack.ts';

const outdir = mkdtempSync(path.join(tmpdir(), 'payments-security-'));
const STACKS = {
  'a test stage': (app: App) => new PaymentStack(app, 'payments-test', { isProduction: false }),
  'a production stage': (app: App) => new PaymentStack(app, 'payments-production', { isProduction: true }),
  'a production stage without alarms': (app: App) =>
    new PaymentStack(app, 'payments-production', { isProduction: true, hasAlarms: false }),
  'production with all that an operator can choose': (app: App) =>
    new PaymentStack(app, 'payments-production', {
      isProduction: true,
      domain: {
        name: 'pay.example.com',
        certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1',
      },
      baseUrl: 'https://pay.example.com',
      kmsKey: 'arn:aws:kms:us-east-1:111122223333:key/1',
      boundary: 'arn:aws:iam::111122223333:policy/bounds',
      backupVault: 'arn:aws:backup:us-east-1:444455556666:backup-vault:far-away',
      alarmEmail: 'ops@example.com',
      budget: 300,
    }),
  'the stack of the gateway logs': (app: App) => new GatewayLogsStack(app),
};
const stacks = Object.entries(STACKS).map(([name, create]) => ({ name, create }));

afterAll(() => rm(outdir, { recursive: true, force: true }));

describe.each(stacks)('$name', ({ create }) => {
  test('breaks only accepted rules', () => {
    const app = newApp();
    create(app);
    checkSecurity(app);
    expect(findingsIn(app)).toEqual([]);
    expect(() => app.synth()).not.toThrow();
  });

  test('breaks every accepted rule, and each acceptance names the closest path, and has a reason', () => {
    const app = newApp();
    create(app);
    const findings = findingsIn(app);
    checkSecurity(app);
    const accepted = acceptedIn(app);
    expect(accepted).not.toEqual([]);
    for (const { rule, at, reason } of accepted) {
      const constructs = findings
        .filter((finding) => finding.rule === rule)
        .map(({ construct }) => construct);
      expect(commonPath(constructs), rule).toBe(at);
      expect(reason, rule).toMatch(/^[A-Z].{40,}[.]$/);
    }
  });
});

describe('a violation', () => {
  test('fails the synthesis', () => {
    const app = newApp();
    const stack = STACKS['a test stage'](app);
    new Queue(stack, 'Open');
    checkSecurity(app);
    expect(() => app.synth()).toThrow(/AwsSolutions-SQS4/);
  });

  test.each([
    ['a test stage', ['AwsSolutions']],
    ['a production stage', ['AwsSolutions', 'NIST.800.53.R5', 'PCI.DSS.321', 'Serverless']],
  ] as const)('in %s is found by the rules of %j', (name, packs) => {
    const app = newApp();
    const stack = STACKS[name](app);
    new Queue(stack, 'Open');
    new Topic(stack, 'Open topic');
    checkSecurity(app);
    const found = new Set(findingsIn(app).map(({ rule }) => rule.replace(/-.*/, '')));
    expect([...found].toSorted()).toEqual(packs);
  });

  test('is found when a compliant policy is removed', () => {
    const app = newApp();
    const stack = STACKS['a production stage'](app);
    checkSecurity(app);
    for (const policy of queuePoliciesOf(stack)) {
      policy.policyDocument = { Statement: [] };
    }
    expect([...new Set(findingsIn(app).map(({ rule }) => rule))]).toEqual(['AwsSolutions-SQS4']);
  });
});

function newApp(): App {
  return new App({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
}

function findingsIn(app: App): { rule: string; construct: string }[] {
  const violations = rulesFor(app).flatMap((rules) => rules.validateScope(app).violations);
  return violations.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ constructPath = '' }) => ({ rule: ruleName, construct: constructPath })),
  );
}

function acceptedIn(app: App): { rule: string; at: string; reason: string }[] {
  const accepted = app.node
    .findAll()
    .flatMap(({ node: { path: at, metadata } }) =>
      metadata.flatMap(({ type, data }) =>
        type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY
          ? [{ at, of: Object.entries<string>(data) }]
          : [],
      ),
    );
  return accepted.flatMap(({ at, of }) =>
    of.map(([id, reason]) => ({ rule: id.replace('Annotation::', ''), at, reason })),
  );
}

function queuePoliciesOf(stack: Stack): CfnQueuePolicy[] {
  const elements = stack.node.findAll() as (CfnElement | CfnQueuePolicy)[];
  return elements.filter((element) => element instanceof CfnQueuePolicy);
}

/** The nearest construct that has all of these constructs in it, without the resource that every construct ends in. */
function commonPath(constructs: readonly string[]): string {
  const [first = [], ...others] = constructs.map((construct) =>
    construct.replace(/\/Resource$/, '').split('/'),
  );
  const end = first.findIndex((id, depth) => others.some((other) => other[depth] !== id));
  return first.slice(0, end < 0 ? first.length : end).join('/');
}
