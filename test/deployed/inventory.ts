import { APIGatewayClient, paginateGetRestApis } from '@aws-sdk/client-api-gateway';
import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, ListEventBusesCommand, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { IAMClient, paginateListPolicies, paginateListRoles } from '@aws-sdk/client-iam';
import { LambdaClient, paginateListEventSourceMappings, paginateListFunctions } from '@aws-sdk/client-lambda';
import { paginateListSecrets, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { paginateListTopics, SNSClient } from '@aws-sdk/client-sns';
import { paginateListQueues, SQSClient } from '@aws-sdk/client-sqs';

/**
 * The kinds of things that a stack makes, as their own services list them: CloudFormation's list is not trusted.
 * Not dashboards: MiniStack writes their dates in a form that the SDK refuses to read.
 */
const KINDS: Readonly<Record<string, () => AsyncIterable<readonly (string | undefined)[]>>> = {
  stack: () =>
    names(paginateDescribeStacks({ client: new CloudFormationClient() }, {}), ({ Stacks }) =>
      // A target that stands in for AWS lists removed stacks for ever.
      Stacks?.flatMap(({ StackName, StackStatus }) => (StackStatus === 'DELETE_COMPLETE' ? [] : [StackName])),
    ),
  table: () =>
    names(paginateListTables({ client: new DynamoDBClient() }, {}), ({ TableNames }) => TableNames),
  function: () =>
    names(paginateListFunctions({ client: new LambdaClient() }, {}), ({ Functions }) =>
      Functions?.map(({ FunctionName }) => FunctionName),
    ),
  'stream mapping': () =>
    names(paginateListEventSourceMappings({ client: new LambdaClient() }, {}), ({ EventSourceMappings }) =>
      EventSourceMappings?.map(({ FunctionArn }) => FunctionArn),
    ),
  API: () =>
    names(paginateGetRestApis({ client: new APIGatewayClient() }, {}), ({ items }) =>
      items?.map(({ name }) => name),
    ),
  'log group': () =>
    names(paginateDescribeLogGroups({ client: new CloudWatchLogsClient() }, {}), ({ logGroups }) =>
      logGroups?.map(({ logGroupName }) => logGroupName),
    ),
  role: () =>
    names(paginateListRoles({ client: new IAMClient() }, {}), ({ Roles }) =>
      Roles?.map(({ RoleName }) => RoleName),
    ),
  'managed policy': () =>
    names(paginateListPolicies({ client: new IAMClient() }, { Scope: 'Local' }), ({ Policies }) =>
      Policies?.map(({ PolicyName }) => PolicyName),
    ),
  queue: () => names(paginateListQueues({ client: new SQSClient() }, {}), ({ QueueUrls }) => QueueUrls),
  secret: () =>
    names(paginateListSecrets({ client: new SecretsManagerClient() }, {}), ({ SecretList }) =>
      SecretList?.map(({ Name }) => Name),
    ),
  topic: () =>
    names(paginateListTopics({ client: new SNSClient() }, {}), ({ Topics }) =>
      Topics?.map(({ TopicArn }) => TopicArn),
    ),
  alarm: () =>
    names(paginateDescribeAlarms({ client: new CloudWatchClient() }, {}), ({ MetricAlarms }) =>
      MetricAlarms?.map(({ AlarmName }) => AlarmName),
    ),
  'event bus': async function* () {
    const { EventBuses } = await new EventBridgeClient().send(new ListEventBusesCommand());
    yield EventBuses?.map(({ Name }) => Name) ?? [];
  },
  rule: async function* () {
    const { EventBuses } = await new EventBridgeClient().send(new ListEventBusesCommand());
    for (const { Name } of EventBuses ?? []) {
      const { Rules } = await new EventBridgeClient().send(new ListRulesCommand({ EventBusName: Name }));
      yield Rules?.map((rule) => rule.Name) ?? [];
    }
  },
};

export const kinds: readonly string[] = Object.keys(KINDS);

/** Everything of an account and region that a stack could leave behind: `log group /aws/…`. */
export async function takeInventory(): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, list] of Object.entries(KINDS)) {
    for await (const page of list()) {
      found.push(...page.map((name) => `${kind} ${name}`));
    }
  }
  return found.toSorted();
}

async function* names<Page>(
  pages: AsyncIterable<Page>,
  namesOf: (page: Page) => readonly (string | undefined)[] | undefined,
): AsyncIterable<readonly (string | undefined)[]> {
  for await (const page of pages) {
    yield namesOf(page) ?? [];
  }
}
