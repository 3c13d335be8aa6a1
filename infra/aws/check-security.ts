import { type App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, NIST80053R5Checks, PCIDSS321Checks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { GatewayLogsStack } from './gateway-logs-stack.ts';
import { PaymentStack } from './payment-stack.ts';
import { secretsPrefixOf } from './stage.ts';

/** What judges every stage. */
const RULES_OF_A_STAGE = [AwsSolutionsChecks];
/** What judges production: a test stage holds no payer and no money. */
const RULES_OF_PRODUCTION = [...RULES_OF_A_STAGE, PCIDSS321Checks, NIST80053R5Checks, ServerlessChecks];

/** Rules that a construct breaks on purpose. */
interface AcceptedFinding {
  readonly rules: readonly string[];
  /** The path in the stack of the closest construct that can be named. None: the whole stack. */
  readonly at?: string;
  readonly reason: string;
  /** Which stages break the rule; without it, all. */
  readonly when?: (stage: PaymentStack) => boolean;
}

const isTest = ({ isProduction }: PaymentStack) => !isProduction;
const isRecorded = ({ traces }: PaymentStack) => traces.kind === 'xray';

const NO_RESOURCES = 'The two actions by which a function sends its traces to X-Ray know no resources.';
const NO_EXECUTION_LOG =
  'Execution logs go to a group that API Gateway makes itself, which has no retention and outlives the stack; the access log and the logs of the functions tell as much.';

/**
 * The rules on methods (APIG4, COG4: authorization) do not read the document that the API is made of. The functions
 * check API keys themselves, in the round trip that also reads the world.
 */
const OF_A_STAGE: readonly AcceptedFinding[] = [
  {
    rules: ['AwsSolutions-APIG2'],
    at: 'Api/Default',
    reason:
      "The functions check every path, query and body against the schemas of the contract and name all bad fields at once, which API Gateway's own validation cannot.",
  },
  {
    rules: ['AwsSolutions-APIG3'],
    at: 'Api/Default/DeploymentStage.api',
    reason:
      'No web ACL in front of a test stage: it costs by the month, and tests that run side by side would meet its limits.',
    when: isTest,
  },
  {
    rules: ['AwsSolutions-APIG6'],
    at: 'Api/Default/DeploymentStage.api',
    reason: NO_EXECUTION_LOG,
  },
  {
    rules: ['AwsSolutions-DDB3'],
    at: 'Table',
    reason: 'A test stage holds nothing that anybody would restore, and is deleted with its table.',
    when: isTest,
  },
  {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    ],
    at: 'Backup/Plan/Table/Role',
    reason:
      'AWS Backup works through many services, and AWS keeps this policy for what it needs of each: one of our own would fail a backup when it needs more.',
    when: ({ hasBackup }) => hasBackup,
  },
  {
    rules: ['AwsSolutions-IAM5[Resource::*]'],
    reason: NO_RESOURCES,
    when: isRecorded,
  },
];

const OF_GATEWAY_LOGS: readonly AcceptedFinding[] = [
  {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    ],
    at: 'Role',
    reason:
      'API Gateway takes the role of an account only if it may write to every log group, and this is the policy that AWS keeps for that.',
  },
];

const NO_SECOND_TRY =
  'A smoke payment that failed is kept nowhere: the next is taken in five minutes, and an alarm rings after two.';

/** What is accepted of the rules that judge production alone. */
const OF_PRODUCTION: readonly AcceptedFinding[] = [
  {
    rules: ['PCI.DSS.321-CloudWatchLogGroupEncrypted', 'NIST.800.53.R5-CloudWatchLogGroupEncrypted'],
    reason:
      'CloudWatch encrypts every log with keys of its own. No log holds a card number, a key or a text about a payer, so a key of ours would only add something that can be deleted by mistake.',
    when: ({ hasOwnKey }) => !hasOwnKey,
  },
  {
    rules: ['PCI.DSS.321-IAMNoInlinePolicy', 'NIST.800.53.R5-IAMNoInlinePolicy'],
    reason:
      'A role has its permissions in itself, so that they are read in one place, go with it, and are given to nobody else.',
  },
  {
    rules: ['PCI.DSS.321-LambdaInsideVPC', 'NIST.800.53.R5-LambdaInsideVPC'],
    reason:
      'No function reaches anything in a private network: the table, the bus and the secrets are guarded by IAM, and webhooks go to public addresses, which the address guard checks.',
  },
  {
    rules: ['NIST.800.53.R5-LambdaConcurrency'],
    at: 'Api',
    reason:
      'The throttle limits the functions that take a key; a reservation for each would take its share from all others. The workers and the public functions have theirs.',
  },
  {
    rules: ['NIST.800.53.R5-LambdaDLQ', 'Serverless-LambdaDLQ'],
    reason:
      'A caller of the API waits for its answer. What workers fail on goes to the queue of unhandled events by their destination for failures, which the rule does not read.',
  },
  {
    rules: ['PCI.DSS.321-APIGWCacheEnabledAndEncrypted', 'NIST.800.53.R5-APIGWCacheEnabledAndEncrypted'],
    at: 'Api/Default/DeploymentStage.api',
    reason:
      'There is no cache whose content could be encrypted: an answer belongs to one key and is true when it is sent.',
  },
  {
    rules: ['PCI.DSS.321-APIGWExecutionLoggingEnabled', 'NIST.800.53.R5-APIGWExecutionLoggingEnabled'],
    at: 'Api/Default/DeploymentStage.api',
    reason: NO_EXECUTION_LOG,
  },
  {
    rules: ['PCI.DSS.321-APIGWSSLEnabled', 'NIST.800.53.R5-APIGWSSLEnabled'],
    at: 'Api/Default/DeploymentStage.api',
    reason:
      'A client certificate proves the gateway to servers that it calls over HTTP. It calls functions alone, by a role of IAM.',
  },
  {
    rules: ['PCI.DSS.321-SNSEncryptedKMS', 'NIST.800.53.R5-SNSEncryptedKMS'],
    at: 'Observability',
    reason:
      "A message has the name, the text and the numbers of an alarm, and no data of a payment. CloudWatch cannot publish to a topic under AWS's own key, and a key of ours that is lost would silence every alarm.",
    when: ({ hasOwnKey }) => !hasOwnKey,
  },
  {
    rules: ['Serverless-SNSRedrivePolicy'],
    at: 'Observability',
    reason:
      'SNS repeats an email for six hours. Nobody would read a queue of those that were not taken: the alarm itself stays red.',
    when: ({ tellsByEmail }) => tellsByEmail,
  },
  {
    rules: ['NIST.800.53.R5-DynamoDBInBackupPlan'],
    at: 'Table',
    reason:
      'The table can be restored to any second of the last 35 days and is protected from deletion, which the rule does not read.',
    when: ({ hasBackup }) => !hasBackup,
  },
  {
    rules: ['Serverless-SQSRedrivePolicy'],
    at: 'ClockAndJobs/Unhandled',
    reason: 'This is the queue that the others set their messages aside in. An alarm rings when it has one.',
  },
  {
    rules: ['Serverless-LambdaAsyncFailureDestination'],
    at: 'Smoke/smoke/EventInvokeConfig',
    reason: NO_SECOND_TRY,
  },
  {
    rules: ['Serverless-EventBusDLQ'],
    at: 'Smoke/Often',
    reason: NO_SECOND_TRY,
  },
  {
    rules: [
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
    ],
    reason:
      'The policy that AWS keeps for what CodeDeploy does with aliases; nothing else may take its two roles.',
  },
  {
    rules: ['Serverless-LambdaEventSourceMappingDestination'],
    at: 'ClockAndJobs',
    reason:
      'Lambda takes a destination for streams and has it. For a queue it takes none: the queue itself sets a message aside after three failures.',
  },
  { rules: ['Serverless-LambdaStarPermissions'], reason: NO_RESOURCES, when: isRecorded },
  {
    rules: ['Serverless-LambdaTracing'],
    reason:
      'The id of a request is in its response and in every line of log about it, so that its way is followed there without a charge for each call.',
    when: (stage) => !isRecorded(stage),
  },
  {
    rules: ['Serverless-APIGWXrayEnabled'],
    at: 'Api/Default/DeploymentStage.api',
    reason:
      'Nobody records the traces of this stage. They go on from a request to its webhooks, and their ids are in the log.',
    when: (stage) => !isRecorded(stage),
  },
];

/** The findings that are accepted in a stack. */
function acceptedFindings(stack: PaymentStack | GatewayLogsStack): readonly AcceptedFinding[] {
  if (stack instanceof GatewayLogsStack) {
    return OF_GATEWAY_LOGS;
  }
  return [readingSecrets(stack), ...OF_A_STAGE, ...(stack.isProduction ? OF_PRODUCTION : [])].filter(
    ({ when }) => when?.(stack) ?? true,
  );
}

/** For every function that calls providers: those of the API, and the live job runner. */
function readingSecrets({ stackName }: Stack): AcceptedFinding {
  const secrets = `arn:<AWS::Partition>:secretsmanager:<AWS::Region>:<AWS::AccountId>:secret:${secretsPrefixOf(stackName)}*`;
  return {
    rules: [`AwsSolutions-IAM5[Resource::${secrets}]`],
    reason:
      "A secret is made when a merchant's live world is connected, under a name that ends in characters of AWS's own: those of the stage can be named by their beginning alone.",
  };
}

/** What judges the stacks of an app. @internal */
export function rulesFor(app: App) {
  const rules = app.node.children.some(isOfProduction) ? RULES_OF_PRODUCTION : RULES_OF_A_STAGE;
  return rules.map((Rules) => new Rules(app));
}

/** Makes the synthesis of an app fail on every finding in its stacks that is not accepted above. */
export function checkSecurity(app: App): void {
  Validations.of(app).addPlugins(...rulesFor(app));
  const stacks = app.node.children.filter(
    (child) => child instanceof PaymentStack || child instanceof GatewayLogsStack,
  );
  for (const stack of stacks) {
    for (const { rules, at, reason } of acceptedFindings(stack)) {
      const acknowledged = rules.map((id) => ({ id, reason }));
      const construct = constructAt(stack, at);
      if (construct !== undefined) {
        Validations.of(construct).acknowledge(...acknowledged);
      }
    }
  }
}

function isOfProduction(child: IConstruct): boolean {
  return child instanceof PaymentStack && child.isProduction;
}

/** Undefined where the stage has none, as one without alarms has no topic. */
function constructAt(stack: Stack, at = ''): IConstruct | undefined {
  const ids = at.split('/').filter((id) => id !== '');
  return ids.reduce<IConstruct | undefined>((parent, id) => parent?.node.tryFindChild(id), stack);
}
