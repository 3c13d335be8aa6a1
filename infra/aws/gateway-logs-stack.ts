import { RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { ManagedPolicy, PermissionsBoundary, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { GATEWAY_LOGS_STACK } from './stage.ts';

interface GatewayLogsStackProps extends StackProps {
  /** The ARN of the policy that bounds its role. */
  readonly boundary?: string | undefined;
}

/**
 * The role with which API Gateway writes logs: one setting for a whole account and region. It is deployed once, if none
 * is set, and stays when its stack is deleted, since every API there relies on it.
 */
export class GatewayLogsStack extends Stack {
  constructor(scope: Construct, { boundary, ...props }: GatewayLogsStackProps = {}) {
    super(scope, GATEWAY_LOGS_STACK, props);
    if (boundary !== undefined) {
      PermissionsBoundary.of(this).apply(ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', boundary));
    }
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [
        ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
      ],
    });
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    for (const kept of [role, account]) {
      kept.applyRemovalPolicy(RemovalPolicy.RETAIN);
    }
  }
}
