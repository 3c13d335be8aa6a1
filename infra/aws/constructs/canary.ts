import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Rollout } from '../app-settings.ts';
import type { LiveAlias } from './live-alias.ts';
import type { PaymentFunction } from './payment-function.ts';

/** Enough calls for an error to show, and short enough that a deployment takes a quarter of an hour. */
const TRIAL = LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES;

interface CanaryProps {
  readonly aliases: readonly LiveAlias[];
  /** What rings while a new version does harm: at most 10, which a group takes. */
  readonly alarms: readonly Alarm[];
  /** Tries new versions before they get traffic. */
  readonly check: PaymentFunction;
  readonly rollout: Rollout;
}

/**
 * The way of new versions into production: a tenth of the calls for five minutes, then all, unless an alarm rings. The
 * groups of one application deploy side by side, so the number of functions does not make a deployment longer. There
 * are two applications: the API's, then that of the workers, which know the API's address and so wait for it.
 *
 * An alias adds three resources (version, alias, group): for every function, that would be some 250 more of the 500 that
 * a stack may have, and most of them only read. The alarms are those that production has anyway. One for each version
 * would cost $1.40 a month more and count what they count, too: time-outs, and starts that fail, which the check finds
 * before. If one group is rolled back, CloudFormation takes the whole stack back.
 */
export class Canary extends Construct {
  constructor(scope: Construct, id: string, { aliases, alarms, check, rollout }: CanaryProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const calling = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [check.functionArn],
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    });
    // Not in the role itself: the check may report to groups, which name the role.
    role.addToPolicy(calling);
    for (const alias of aliases) {
      const shared = { application, role, alias };
      const { id: name } = alias.lambda.node;
      if (rollout === 'at-once') {
        // Neither check nor alarms, since a repair must not wait until they are silent.
        const deploymentConfig = LambdaDeploymentConfig.ALL_AT_ONCE;
        new LambdaDeploymentGroup(this, name, { ...shared, deploymentConfig });
      } else {
        const group = new LambdaDeploymentGroup(this, name, {
          ...shared,
          deploymentConfig: TRIAL,
          alarms: [...alarms],
        });
        checkFirst(alias, group, check);
      }
    }
  }
}

/** Not CDK's `preHook`, which would let CodeDeploy call every version of the check. */
function checkFirst(alias: LiveAlias, group: LambdaDeploymentGroup, check: PaymentFunction): void {
  group.grantPutLifecycleEventHookExecutionStatus(check);
  const { cfnOptions } = alias.node.defaultChild as CfnAlias;
  cfnOptions.updatePolicy = {
    codeDeployLambdaAliasUpdate: {
      applicationName: group.application.applicationName,
      deploymentGroupName: group.deploymentGroupName,
      beforeAllowTrafficHook: check.functionName,
    },
  };
  // It must know of the new versions, be called and be allowed to report, before the first of them is tried.
  alias.node.addDependency(check, group.role as Role);
}
