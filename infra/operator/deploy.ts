import path from 'node:path';
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import { PRESETS } from '../../shared/contract/permissions.ts';
import { NEWEST_VERSION } from '../../shared/contract/versions.ts';
import { standsInForAws } from '../aws/app-settings.ts';
import { chosenStage, GATEWAY_LOGS_STACK, isProduction, stackNameOf, stageOfBranch } from '../aws/stage.ts';
import { type Acts, type GivenTo, UsageError } from '../terminal/command.ts';
import type { DEPLOY } from '../terminal/options.ts';
import { complain, say, sayJson } from '../terminal/output.ts';
import { IS_PACKAGED, PROGRAM } from '../terminal/program-name.ts';
import { ensureBootstrap, requireBootstrap } from './bootstrap.ts';
import { currentBranch } from './branches.ts';
import { explain, findStack, outputOf } from './cloud.ts';
import { describeChanges } from './describe-changes.ts';
import { requireKept, settingsToKeep } from './kept-table.ts';
import { readActor } from './read-actor.ts';
import { requireRoom } from './require-room.ts';
import { runCdk } from './run-cdk.ts';
import { renewSmokeKey } from './smoke-key.ts';
import { endAfter, type StageFacts, tagOptions, whoDeploys } from './stage-tags.ts';
import { NO_TEMPLATE, readBuiltTemplate, readDeployedTemplate } from './stage-template.ts';
import { useService } from './target.ts';
import { contextAt, useStandIn } from './use-stand-in.ts';

type GivenToDeploy = GivenTo<typeof DEPLOY, ''>;

const STAND_IN =
  'AWS_ENDPOINT_URL names a target that stands in for AWS: responses are not compressed, since its gateway may break them. "-- -c gateway=aws" says that it does not.';

async function deploy(values: GivenToDeploy, ...args: string[]): Promise<void> {
  const forCdk = checkGiven(values, args);
  if (values.target !== undefined) {
    await useStandIn(values.target);
  }
  const facts = factsOf(values);
  const stackName = stackNameOf(facts.stage);
  await (values.target === undefined ? requireBootstrap(facts.stage) : ensureBootstrap(facts.stage));
  const tell = values.json ? complain : say;
  tell(`Deploying stage "${facts.stage}" as ${stackName}.`);
  const deployed = await findStack(stackName);
  const kept = values.app === undefined ? settingsToKeep(deployed, forCdk) : [];
  const assembly = values.app ?? (await synthesize(values, facts.stage, [...kept, ...forCdk]));
  const [before, after] = await Promise.all([
    deployed === null ? NO_TEMPLATE : readDeployedTemplate(stackName),
    readBuiltTemplate(assembly, stackName),
  ]);
  if (values.app !== undefined) {
    requireKept(deployed, after, stackName);
  }
  tell(...describeChanges(before, after), ...(await requireRoom(before, after)));
  await deployStacks(assembly, facts, forCdk);
  const stack = await findStack(stackName);
  const baseUrl = stack && outputOf(stack, 'BaseUrl');
  if (values.app === undefined && standsInForAws(process.env) && !hasContext(forCdk, 'gateway')) {
    tell(STAND_IN);
  }
  if (isProduction(facts.stage)) {
    await renewSmokeKey(stackName, stack && outputOf(stack, 'KmsKeyArn'));
  }
  const key = values.target === undefined ? null : await makeKey(facts);
  if (values.json) {
    return sayJson({ stage: facts.stage, base_url: baseUrl, key });
  }
  const at = values.target === undefined ? '' : ` --target ${values.target}`;
  say(
    '',
    `${stackName} is deployed: ${baseUrl}`,
    key === null
      ? `  a key:       ${PROGRAM} admin keys create --merchant NAME --preset owner --stack ${stackName}`
      : `  its key:     ${key}`,
    `  remove it:   ${PROGRAM} admin destroy --stage ${facts.stage}${at}`,
  );
}

/** @returns the arguments for CDK */
function checkGiven({ app, target, ttl, stage, branch }: GivenToDeploy, args: readonly string[]): string[] {
  if (IS_PACKAGED) {
    throw new Error('A stage is deployed from a clone of the service, which has what CDK builds.');
  }
  const end = process.argv.indexOf('--');
  const forCdk = end === -1 ? [] : process.argv.slice(end + 1);
  if (args.length > forCdk.length) {
    // CDK would take it for another stack.
    throw new UsageError(`A stage is named by --stage NAME, not by "${args[0]}" alone.`);
  }
  if (app !== undefined && target !== undefined) {
    throw new UsageError('--app deploys what was built for another address: it does not go with --target.');
  }
  if (ttl !== undefined && isProduction(stage ?? branch ?? '')) {
    throw new UsageError('Production has no end: --ttl is for test stages.');
  }
  return forCdk;
}

/** The branch of a stage that is named by hand is the one that is checked out, if the stage has its name. */
function factsOf(values: GivenToDeploy): StageFacts {
  const current = currentBranch();
  const stage = chosenStage(values) ?? (current === null ? null : stageOfBranch(current));
  if (stage === null) {
    throw new Error('No branch is checked out: name the stage with --stage NAME.');
  }
  const branch = values.branch ?? current;
  return {
    stage,
    branch: branch !== null && stageOfBranch(branch) === stage ? branch : null,
    owner: whoDeploys(process.env),
    endsAt: values.ttl === undefined ? null : endAfter(values.ttl, Date.now()),
  };
}

/** @returns the folder of what was built */
async function synthesize(
  { target }: GivenToDeploy,
  stage: string,
  forCdk: readonly string[],
): Promise<string> {
  const assembly = path.join('cdk.out', stackNameOf(stage));
  const own = ['-c', `stage=${stage}`, ...(target === undefined ? [] : contextAt(target))];
  await runCdk(['synth', '--quiet', '--output', assembly, ...own, ...forCdk], 'The synthesis');
  return assembly;
}

async function deployStacks(assembly: string, facts: StageFacts, forCdk: readonly string[]): Promise<void> {
  const fixed = ['--app', assembly, ...forCdk, '--require-approval', 'never', '--progress', 'events'];
  if (!(await mayGatewayWriteLogs())) {
    // By itself: it belongs to no stage, so it has no tag of one.
    await runCdk(['deploy', GATEWAY_LOGS_STACK, ...fixed], 'The deployment');
  }
  await runCdk(['deploy', stackNameOf(facts.stage), ...tagOptions(facts), ...fixed], 'The deployment');
}

/** Whether the setting that all stages of an account and region share exists. An existing one is never changed. */
async function mayGatewayWriteLogs(): Promise<boolean> {
  const account = await new APIGatewayClient().send(new GetAccountCommand()).catch((error) => {
    throw explain(error);
  });
  return account.cloudwatchRoleArn !== undefined;
}

/**
 * A new key with each deployment, since the stage keeps only the hash of an old one, which goes on working: somebody may
 * be testing with it.
 */
async function makeKey({ stage, endsAt }: StageFacts): Promise<string> {
  const stack = stackNameOf(stage);
  const { issueApiKey } = await useService({ stack });
  const order = {
    merchant: stage,
    mode: 'test',
    permissions: [...PRESETS.owner],
    version: NEWEST_VERSION,
    label: 'pg admin deploy',
    networks: [],
    expiresAtMs: endsAt === null ? null : Date.parse(endsAt),
  } as const;
  return (await issueApiKey(order, await readActor({ stack }), Date.now())).secret;
}

function hasContext(forCdk: readonly string[], name: string): boolean {
  return forCdk.some((arg) => arg.startsWith(`${name}=`));
}

export const acts: Acts<typeof DEPLOY> = { '': deploy };
