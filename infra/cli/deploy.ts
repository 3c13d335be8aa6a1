import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { runCommand, UsageError } from '../machine/command.ts';
import {
  bootstrapQualifierOf,
  chosenStage,
  GATEWAY_LOGS_STACK,
  stackNameOf,
  stageOfBranch,
} from '../stage.ts';
import { explain, findStack, outputOf } from './cloud.ts';

/* npm run deploy: builds and deploys a stage into the account and region of the environment. */

const USAGE = `Usage:
  npm run deploy [-- --stage NAME | --branch NAME] [-- ARGUMENTS OF CDK]

  --stage NAME    the name of the stage
  --branch NAME   the stage of this git branch (default: the current branch)
`;
/** The stack that "cdk bootstrap" creates in an account and region by default. */
const BOOTSTRAP_STACK = 'CDKToolkit';

async function main(): Promise<void> {
  const { values, forCdk } = readArguments();
  const stage = chosenStage(values) ?? stageOfBranch(currentBranch());
  const stackName = stackNameOf(stage);
  await requireBootstrap(stage);
  console.log(`Deploying stage "${stage}" as ${stackName}.`);
  const stacks = (await mayGatewayWriteLogs()) ? [stackName] : [GATEWAY_LOGS_STACK, stackName];
  const output = path.join('cdk.out', stackName);
  await cdk(['deploy', ...stacks, '-c', `stage=${stage}`, '--output', output, ...forCdk]);
  const stack = await findStack(stackName);
  console.log(`
${stackName} is deployed: ${stack && outputOf(stack, 'BaseUrl')}
  a key:       npm run keys -- create --merchant NAME --preset owner --stack ${stackName}
  remove it:   npm run destroy -- --stage ${stage}`);
}

async function requireBootstrap(stage: string): Promise<void> {
  const qualifier = bootstrapQualifierOf(stage);
  const stackName = qualifier === null ? BOOTSTRAP_STACK : `${BOOTSTRAP_STACK}-${qualifier}`;
  if ((await findStack(process.env.CDK_TOOLKIT_STACK ?? stackName)) === null) {
    const own = qualifier === null ? '' : ` --qualifier ${qualifier} --toolkit-stack-name ${stackName}`;
    throw new Error(
      `This account and region are not bootstrapped for CDK: run "npx cdk bootstrap aws://ACCOUNT/REGION${own}" once.`,
    );
  }
}

/**
 * The stage, and the arguments after `--`, which are for CDK.
 * @throws UsageError for a word before `--`, which CDK would take for another stack
 */
function readArguments() {
  const { values, positionals, tokens } = parseArgs({
    options: { stage: { type: 'string' }, branch: { type: 'string' } },
    allowPositionals: true,
    tokens: true,
  });
  const end = tokens.find(({ kind }) => kind === 'option-terminator')?.index ?? Infinity;
  const word = tokens.find(({ kind, index }) => kind === 'positional' && index < end);
  if (word !== undefined) {
    throw new UsageError(`A stage is named by --stage NAME, not by "${process.argv[word.index + 2]}" alone.`);
  }
  return { values, forCdk: positionals };
}

/** Whether the setting that all stages of an account and region share exists. An existing one is never changed. */
async function mayGatewayWriteLogs(): Promise<boolean> {
  const account = await new APIGatewayClient().send(new GetAccountCommand()).catch((error) => {
    throw explain(error);
  });
  return account.cloudwatchRoleArn !== undefined;
}

function currentBranch(): string {
  const branch = execFileSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { encoding: 'utf8' }).trim();
  if (branch === 'HEAD') {
    throw new Error('No branch is checked out: name the stage with --stage NAME.');
  }
  return branch;
}

/** @throws Error if CDK failed, after it has printed why */
async function cdk(args: readonly string[]): Promise<void> {
  const fixed = ['--require-approval', 'never', '--progress', 'events'];
  const child = spawn('cdk', [...args, ...fixed], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error('The deployment failed: see the output of CDK above.');
  }
}

runCommand('npm run deploy', USAGE, main);
