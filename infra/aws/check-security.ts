import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { GatewayLogsStack } from './gateway-logs-stack.ts';
import { PaymentStack } from './payment-stack.ts';
import { secretsPrefixOf } from './stage.ts';

/** A rule of AwsSolutions that a construct breaks on purpose. */
interface AcceptedFinding {
  readonly rule: string;
  /** The path in the stack of the closest construct that can be named. None: the whole stack. */
  readonly at?: string;
  readonly reason: string;
  /** The finding is accepted only in test stages: production keeps the rule. */
  readonly onlyInTest?: true;
}

/**
 * The rules on methods (APIG4, COG4: authorization) do not read the document that the API is made of. The functions
 * check API keys themselves, in the round trip that also reads the world.
 */
const OF_A_STAGE: readonly AcceptedFinding[] = [
  {
    rule: 'AwsSolutions-APIG2',
    at: 'Api/Default',
    reason:
      "The functions check every path, query and body against the schemas of the contract and name all bad fields at once, which API Gateway's own validation cannot.",
  },
  {
    rule: 'AwsSolutions-APIG3',
    at: 'Api/Default/DeploymentStage.api',
    reason:
      'No web ACL in front of a test stage: it costs by the month, and tests that run side by side would meet its limits.',
    onlyInTest: true,
  },
  {
    rule: 'AwsSolutions-APIG6',
    at: 'Api/Default/DeploymentStage.api',
    reason:
      'Execution logs go to a group that API Gateway makes itself, which has no retention and outlives the stack; the access log and the logs of the functions tell as much.',
  },
  {
    rule: 'AwsSolutions-DDB3',
    at: 'Table',
    reason: 'A test stage holds nothing that anybody would restore, and is deleted with its table.',
    onlyInTest: true,
  },
];

const OF_GATEWAY_LOGS: readonly AcceptedFinding[] = [
  {
    rule: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    at: 'Role',
    reason:
      'API Gateway takes the role of an account only if it may write to every log group, and this is the policy that AWS keeps for that.',
  },
];

/** The findings that are accepted in a stack. */
function acceptedFindings(stack: Stack): readonly AcceptedFinding[] {
  if (stack instanceof GatewayLogsStack) {
    return OF_GATEWAY_LOGS;
  }
  const isProduction = stack instanceof PaymentStack && stack.isProduction;
  const isTraced = stack instanceof PaymentStack && stack.traces.kind === 'xray';
  return [readingSecrets(stack), ...(isTraced ? [SENDING_TRACES] : []), ...OF_A_STAGE].filter(
    ({ onlyInTest }) => !(onlyInTest && isProduction),
  );
}

/** For every function of a stage that X-Ray records. */
const SENDING_TRACES: AcceptedFinding = {
  rule: 'AwsSolutions-IAM5[Resource::*]',
  reason: 'The two actions by which a function sends its traces to X-Ray know no resources.',
};

/** For every function that calls providers: those of the API, and the live job runner. */
function readingSecrets({ stackName }: Stack): AcceptedFinding {
  const secrets = `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${secretsPrefixOf(stackName)}*`;
  return {
    rule: `AwsSolutions-IAM5[Resource::${secrets}]`,
    reason:
      "A secret is made when a merchant's live world is connected, under a name that ends in characters of AWS's own: those of the stage can be named by their beginning alone.",
  };
}

/** Makes the synthesis of an app fail on every finding of AwsSolutions in its stacks that is not accepted above. */
export function checkSecurity(app: App): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stacks = app.node.children.filter(
    (child) => child instanceof PaymentStack || child instanceof GatewayLogsStack,
  );
  for (const stack of stacks) {
    for (const { rule, at, reason } of acceptedFindings(stack)) {
      Validations.of(constructAt(stack, at)).acknowledge({ id: rule, reason });
    }
  }
}

function constructAt(stack: Stack, at = ''): IConstruct {
  const ids = at.split('/').filter((id) => id !== '');
  return ids.reduce<IConstruct>((parent, id) => parent.node.findChild(id), stack);
}
