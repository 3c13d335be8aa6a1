// @module-tag nightly
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { GatewayLogsStack } from '../../../infra/aws/gateway-logs-stack.ts';
import { faultsOf, judge } from '../../document/finding.ts';
import { lintByCfnLint, lintByCheckov } from './lint-template.ts';
import { synthesized } from './synthesized.ts';
import { CFN_LINT_EXCEPTIONS, CHECKOV_EXCEPTIONS } from './template-exceptions.ts';

const PLANTED = {
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue', Properties: { NoSuchProperty: 1 } },
    Door: {
      Type: 'AWS::EC2::SecurityGroup',
      Properties: {
        GroupDescription: 'An open door',
        SecurityGroupIngress: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, CidrIp: '0.0.0.0/0' }],
      },
    },
  },
};
const templates = {
  'payments-production': synthesized({ isProduction: true }).template.toJSON(),
  'payments-test': synthesized({ isProduction: false }).template.toJSON(),
  'gateway-logs': Template.fromStack(new GatewayLogsStack(new App())).toJSON(),
  planted: PLANTED,
};

describe.each([
  { name: 'cfn-lint', lint: lintByCfnLint, exceptions: CFN_LINT_EXCEPTIONS, planted: 'E3002' },
  { name: 'checkov', lint: lintByCheckov, exceptions: CHECKOV_EXCEPTIONS, planted: 'CKV_AWS_24' },
])('$name', ({ lint, exceptions, planted }) => {
  test('finds nothing in a stage that has no reason, and what is planted beside it', async () => {
    const findings = await lint(templates);
    const ours = findings.filter(({ where }) => !where.startsWith('planted: '));
    expect(faultsOf(judge(ours, exceptions), exceptions)).toEqual([]);
    const others = findings.filter((finding) => !ours.includes(finding));
    expect(others.map(({ rule }) => rule)).toContain(planted);
  });
});
