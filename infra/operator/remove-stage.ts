import {
  CloudFormationClient,
  DeleteStackCommand,
  type Stack,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchLogsClient, DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import { standsInForAws } from '../aws/app-settings.ts';
import { isProduction, stackNameOf } from '../aws/stage.ts';
import { explain, findStack, listResources } from './cloud.ts';
import { StageSecrets } from './stage-secrets.ts';

const DELETED_WITHIN_SECONDS = 30 * 60;

/** A resource that its stack could not delete. */
interface HeldResource {
  readonly type: string;
  readonly id: string;
  readonly reason: string;
}

/** What keeps a stack from being deleted; nothing where no deletion has failed. */
export async function heldResources({ StackId, StackStatus }: Stack): Promise<HeldResource[]> {
  if (StackStatus !== 'DELETE_FAILED') {
    return [];
  }
  const resources = await listResources(String(StackId));
  return resources
    .filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_FAILED')
    .map(({ ResourceType, PhysicalResourceId, LogicalResourceId, ResourceStatusReason }) => ({
      type: String(ResourceType),
      id: PhysicalResourceId ?? String(LogicalResourceId),
      reason: ResourceStatusReason ?? 'no reason is given',
    }));
}

export function heldLines(held: readonly HeldResource[]): string[] {
  return held.map(({ type, id, reason }) => `  held by ${type} ${id}: ${reason}`);
}

/**
 * Removes a stage with everything in it.
 * @param stack null where it is gone already, which leaves its secrets
 * @throws Error that names what could not be deleted, and why
 */
export async function removeStage(stage: string, stack: Stack | null): Promise<void> {
  // First, so that a removal that fails halfway can be repeated as a whole, and also if the stack was deleted by other
  // means. Production keeps its secrets, as it keeps its table.
  if (!isProduction(stage)) {
    await new StageSecrets(stackNameOf(stage), null).removeAll();
  }
  if (stack === null) {
    return;
  }
  // By its id, since a deleted stack cannot be found by its name.
  const StackName = String(stack.StackId);
  const functions = standsInForAws(process.env) ? await functionsOf(StackName) : [];
  const client = new CloudFormationClient();
  try {
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete({ client, maxWaitTime: DELETED_WITHIN_SECONDS }, { StackName });
  } catch (error) {
    const left = await findStack(StackName).catch(() => null);
    const held = left === null ? [] : await heldResources(left);
    throw held.length === 0
      ? explain(error)
      : new Error([`${stackNameOf(stage)} could not be removed:`, ...heldLines(held)].join('\n'));
  }
  await removeLogGroups(functions);
}

async function functionsOf(stackName: string): Promise<string[]> {
  return (await listResources(stackName)).flatMap(({ ResourceType, PhysicalResourceId = '' }) =>
    ResourceType === 'AWS::Lambda::Function' ? [PhysicalResourceId] : [],
  );
}

/** LocalStack makes a log group for each function by itself, which no stack owns. */
async function removeLogGroups(functions: readonly string[]): Promise<void> {
  const client = new CloudWatchLogsClient();
  for (const name of functions) {
    await client.send(new DeleteLogGroupCommand({ logGroupName: `/aws/lambda/${name}` })).catch((error) => {
      if (error.name !== 'ResourceNotFoundException') {
        throw explain(error);
      }
    });
  }
}
