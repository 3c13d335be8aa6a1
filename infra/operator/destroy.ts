import {
  CloudFormationClient,
  DeleteStackCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { chosenStage, isProduction, stackNameOf } from '../aws/stage.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import { isMeant } from '../terminal/confirm.ts';
import type { DESTROY } from '../terminal/options.ts';
import { say } from '../terminal/output.ts';
import { explain, findStack } from './cloud.ts';
import { StageSecrets } from './stage-secrets.ts';

const DELETED_WITHIN_SECONDS = 30 * 60;

async function destroy(values: GivenTo<typeof DESTROY, ''>): Promise<void> {
  const stage = chosenStage(values);
  if (stage === null) {
    throw new UsageError('Name the stage to remove: --stage NAME or --branch NAME.');
  }
  const stackName = stackNameOf(stage);
  const stack = await findStack(stackName);
  if (stack?.EnableTerminationProtection) {
    throw new Error(
      `${stackName} has termination protection, so that its data is not lost by mistake. Turn it off first.`,
    );
  }
  const isSure = values.yes || stack === null;
  if (!isSure && !(await isMeant(`This removes ${stackName} with all its data.`, stage))) {
    throw new Error('Nothing was removed.');
  }
  // First, so that a removal that fails halfway can be repeated as a whole, and also if the stack was deleted by other
  // means, which leaves the secrets. Production keeps its secrets, as it keeps its table.
  if (!isProduction(stage)) {
    await new StageSecrets(stackName).removeAll();
  }
  if (stack === null) {
    // The stage is already removed.
    return say(`There is no stage "${stage}" here: nothing is left to remove.`);
  }
  const client = new CloudFormationClient();
  // By its id, since a deleted stack cannot be found by its name.
  const StackName = String(stack.StackId);
  try {
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete({ client, maxWaitTime: DELETED_WITHIN_SECONDS }, { StackName });
  } catch (error) {
    throw explain(error);
  }
  say(`${stackName} is removed with all its data.`);
}

export const acts: Acts<typeof DESTROY> = { '': destroy };
