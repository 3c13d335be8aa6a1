import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import {
  CloudFormationClient,
  DeleteStackCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { chosenStage, stackNameOf } from '../stage.ts';
import { explain, findStack } from './cloud.ts';
import { runCommand, UsageError } from './command.ts';

/* npm run destroy: removes a stage with everything in it. */

const USAGE = `Usage:
  npm run destroy -- (--stage NAME | --branch NAME) [--yes]

  --stage NAME    how the stage is called
  --branch NAME   the stage of that git branch
  --yes           does not ask
`;
const DELETED_WITHIN_SECONDS = 30 * 60;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, branch: { type: 'string' }, yes: { type: 'boolean' } },
  });
  const stage = chosenStage(values);
  if (stage === null) {
    throw new UsageError('Name the stage that is to be removed: --stage NAME or --branch NAME.');
  }
  const stackName = stackNameOf(stage);
  const stack = await findStack(stackName);
  if (stack === null) {
    // What is asked for is so already.
    return console.log(`There is no stage "${stage}" here: nothing to remove.`);
  }
  if (stack.EnableTerminationProtection) {
    throw new Error(
      `${stackName} is protected: its data must not be lost by mistake. Lift its termination protection first.`,
    );
  }
  if (!values.yes && !(await isMeant(stage))) {
    throw new Error('Nothing was removed.');
  }
  const client = new CloudFormationClient();
  // By its id, so that the end can be seen: by its name, a deleted stack is not found.
  const StackName = String(stack.StackId);
  try {
    await client.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete({ client, maxWaitTime: DELETED_WITHIN_SECONDS }, { StackName });
  } catch (error) {
    throw explain(error);
  }
  console.log(`${stackName} is removed, with everything in it.`);
}

async function isMeant(stage: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Error('Nobody is there to be asked whether this is meant: say so with --yes.');
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Type "${stage}" to remove it with all its data: `);
  terminal.close();
  return answer.trim() === stage;
}

runCommand('npm run destroy', USAGE, main);
