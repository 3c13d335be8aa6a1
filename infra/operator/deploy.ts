import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { standsInForAws } from '../aws/app-settings.ts';
import {
  bootstrapQualifierOf,
  chosenStage,
  GATEWAY_LOGS_STACK,
  stackNameOf,
  stageOfBranch,
} from '../aws/stage.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import type { DEPLOY } from '../terminal/options.ts';
import { say } from '../terminal/output.ts';
import { IS_PACKAGED, PROGRAM } from '../terminal/program-name.ts';
import { explain, findStack, outputOf } from './cloud.ts';

const STAND_IN =
  'AWS_ENDPOINT_URL names a target that stands in for AWS: responses are not compressed, since its gateway may break them. "-- -c gateway=aws" says that it does not.';
/** The stack that "cdk bootstrap" creates in an account and region by default. */
const BOOTSTRAP_STACK = 'CDKToolkit';

async function deploy(values: GivenTo<typeof DEPLOY, ''>, ...args: string[]): Promise<void> {
  if (IS_PACKAGED) {
    throw new Error('A stage is deployed from a clone of the service, which has what CDK builds.');
  }
  const end = process.argv.indexOf('--');
  const forCdk = end === -1 ? [] : process.argv.slice(end + 1);
  if (args.length > forCdk.length) {
    // CDK would take it for another stack.
    throw new UsageError(`A stage is named by --stage NAME, not by "${args[0]}" alone.`);
  }
  const stage = chosenStage(values) ?? stageOfBranch(currentBranch());
  const stackName = stackNameOf(stage);
  await requireBootstrap(stage);
  say(`Deploying stage "${stage}" as ${stackName}.`);
  const stacks = (await mayGatewayWriteLogs()) ? [stackName] : [GATEWAY_LOGS_STACK, stackName];
  const source =
    values.app === undefined
      ? ['-c', `stage=${stage}`, '--output', path.join('cdk.out', stackName)]
      : ['--app', values.app];
  await cdk(['deploy', ...stacks, ...source, ...forCdk]);
  const stack = await findStack(stackName);
  if (
    values.app === undefined &&
    standsInForAws(process.env) &&
    !forCdk.some((arg) => arg.startsWith('gateway='))
  ) {
    say(STAND_IN);
  }
  const text = `
${stackName} is deployed: ${stack && outputOf(stack, 'BaseUrl')}
  a key:       ${PROGRAM} admin keys create --merchant NAME --preset owner --stack ${stackName}
  remove it:   ${PROGRAM} admin destroy --stage ${stage}`;
  say(...text.split('\n'));
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
  // The one that the lock has: a pipeline has no program of packages on its path.
  const program = fileURLToPath(import.meta.resolve('aws-cdk/bin/cdk'));
  const child = spawn(process.execPath, [program, ...args, ...fixed], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error('The deployment failed: see the output of CDK above.');
  }
}

export const acts: Acts<typeof DEPLOY> = { '': deploy };
