import { CfnOutput, type Stack } from 'aws-cdk-lib';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { FunctionRole } from './payment-function.ts';

/** What a function needs of the key of a table, a queue or a secret that it uses. */
const ACTIONS = [
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKey',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];

/**
 * Encrypts everything that a stack holds by now with one key of the operator's: the table, logs, queues and topics. The
 * key is not of the stack, since data that outlives it could not be read without.
 */
export function encryptWithKey(stack: Stack, keyArn: string): void {
  for (const construct of stack.node.findAll()) {
    encrypt(construct, keyArn);
  }
  // For the command that stores secrets of providers.
  new CfnOutput(stack, 'KmsKeyArn', { value: keyArn });
}

function encrypt(construct: IConstruct, keyArn: string): void {
  if (construct instanceof CfnTable) {
    construct.sseSpecification = { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: keyArn };
  } else if (construct instanceof CfnLogGroup) {
    construct.kmsKeyId = keyArn;
  } else if (construct instanceof CfnTopic) {
    construct.kmsMasterKeyId = keyArn;
  } else if (construct instanceof CfnQueue) {
    construct.kmsMasterKeyId = keyArn;
    construct.sqsManagedSseEnabled = undefined;
  } else if (construct instanceof CfnRole && construct.node.scope instanceof FunctionRole) {
    allowKey(construct, keyArn);
  }
}

function allowKey(role: CfnRole, keyArn: string): void {
  const statement = new PolicyStatement({ actions: ACTIONS, resources: [keyArn] });
  const added = { policyName: 'key', policyDocument: new PolicyDocument({ statements: [statement] }) };
  role.policies = [...(role.policies as CfnRole.PolicyProperty[]), added];
}
