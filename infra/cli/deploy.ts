import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { chosenStage, stackNameOf, stageOfBranch } from '../stage.ts';
import { findStack, outputOf } from './cloud.ts';
import { runCommand } from './command.ts';

/* npm run deploy: builds and deploys a stage into the account and region of the environment. */

const USAGE = `Usage:
  npm run deploy [-- --stage NAME | --branch NAME] [-- ARGUMENTS OF CDK]

  --stage NAME    how the stage is called
  --branch NAME   the stage of that git branch; by default, of the one that is checked out
`;
/** What "cdk bootstrap" leaves in an account and region, unless it is told another name. */
const BOOTSTRAP_STACK = process.env.CDK_TOOLKIT_STACK ?? 'CDKToolkit';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { stage: { type: 'string' }, branch: { type: 'string' } },
    allowPositionals: true,
  });
  const stage = chosenStage(values) ?? stageOfBranch(currentBranch());
  const stackName = stackNameOf(stage);
  if ((await findStack(BOOTSTRAP_STACK)) === null) {
    throw new Error(
      `This account and region are not prepared for CDK: run "npx cdk bootstrap aws://ACCOUNT/REGION" once.`,
    );
  }
  console.log(`Deploying stage "${stage}" as ${stackName}.`);
  await cdk([
    'deploy',
    stackName,
    '-c',
    `stage=${stage}`,
    '--output',
    `cdk.out/${stackName}`,
    ...positionals,
  ]);
  const stack = await findStack(stackName);
  console.log(`
${stackName} is deployed: ${stack && outputOf(stack, 'BaseUrl')}
  a key:       npm run keys -- create --merchant NAME --preset owner --stack ${stackName}
  remove it:   npm run destroy -- --stage ${stage}`);
}

function currentBranch(): string {
  const branch = execFileSync('git', ['rev-parse', '--abbrev-ref', 'HEAD'], { encoding: 'utf8' }).trim();
  if (branch === 'HEAD') {
    throw new Error('No branch is checked out: name the stage with --stage NAME.');
  }
  return branch;
}

/** @throws Error where it failed; it has said why */
async function cdk(args: readonly string[]): Promise<void> {
  const fixed = ['--require-approval', 'never', '--progress', 'events'];
  const child = spawn('cdk', [...args, ...fixed], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error('The deployment failed: CDK says above why.');
  }
}

runCommand(main, USAGE);
