import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { GatewayLogsStack } from '../../../infra/aws/gateway-logs-stack.ts';
import { GATEWAY_LOGS_STACK } from '../../../infra/aws/stage.ts';

// The folder that CDK chooses by itself stays.
const outdir = mkdtempSync(path.join(tmpdir(), 'payments-stack-'));
const stack = new GatewayLogsStack(new App({ outdir }));
const template = Template.fromStack(stack);
// At once: where all tests are left out by their tags, nothing runs after them.
rmSync(outdir, { recursive: true });

test('the role with which API Gateway writes logs has its own stack: it belongs to no stage', () => {
  expect(stack.stackName).toBe(GATEWAY_LOGS_STACK);
  const [roleId = ''] = Object.keys(template.findResources('AWS::IAM::Role'));
  template.hasResourceProperties('AWS::ApiGateway::Account', {
    CloudWatchRoleArn: { 'Fn::GetAtt': [roleId, 'Arn'] },
  });
});

test('the role outlives its stack, because every API of the account and region uses it', () => {
  const resources = Object.values(template.toJSON().Resources as Record<string, { DeletionPolicy?: string }>);
  expect(resources).toHaveLength(2);
  expect(resources.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain', 'Retain']);
});

test('only API Gateway may assume the role, which may only write logs', () => {
  const [role] = Object.values(template.findResources('AWS::IAM::Role'));
  const { AssumeRolePolicyDocument, ManagedPolicyArns, Policies } = role?.Properties ?? {};
  expect(AssumeRolePolicyDocument.Statement).toEqual([
    { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'apigateway.amazonaws.com' } },
  ]);
  // The one policy of this service that names every log group: API Gateway requires exactly this.
  expect(JSON.stringify(ManagedPolicyArns)).toContain('AmazonAPIGatewayPushToCloudWatchLogs');
  expect(ManagedPolicyArns).toHaveLength(1);
  expect(Policies).toBeUndefined();
  template.resourceCountIs('AWS::IAM::Policy', 0);
});
