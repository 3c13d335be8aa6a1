import { chosenStage, stackNameOf } from '../aws/stage.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import { isMeant } from '../terminal/confirm.ts';
import type { DESTROY } from '../terminal/options.ts';
import { say } from '../terminal/output.ts';
import { findStack } from './cloud.ts';
import { removeStage } from './remove-stage.ts';
import { useStandIn } from './use-stand-in.ts';

async function destroy(values: GivenTo<typeof DESTROY, ''>): Promise<void> {
  const stage = chosenStage(values);
  if (stage === null) {
    throw new UsageError('Name the stage to remove: --stage NAME or --branch NAME.');
  }
  if (values.target !== undefined) {
    await useStandIn(values.target);
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
  await removeStage(stage, stack);
  say(
    stack === null
      ? `There is no stage "${stage}" here: nothing is left to remove.`
      : `${stackName} is removed with all its data.`,
  );
}

export const acts: Acts<typeof DESTROY> = { '': destroy };
