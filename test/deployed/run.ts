import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_ID_PLACE } from '../../infra/base-url.ts';
import { stackNameOf } from '../../infra/stage.ts';
import { DEPLOYED_SERVICE_VARIABLE } from '../support/deployed-service.ts';
import { hasGo, NO_GO } from '../support/go.ts';
import { lastLines, runCommand } from '../support/run-command.ts';
import { startStandIn } from '../support/stripe/stand-in.ts';
import { startStripeMock } from '../support/stripe/stripe-mock.ts';
import { CONTRACT_TESTS, EXCEPTIONS } from './contract-tests.ts';
import { deployAsCi } from './deploy-as-ci.ts';
import { expectConnected } from './expect-connected.ts';
import { expectExamined } from './expect-examined.ts';
import { expectForwarded } from './expect-forwarded.ts';
import { expectLive, expectStopped } from './expect-live.ts';
import { expectLoopbackRefused } from './expect-loopback-refused.ts';
import { ACCOUNT, isFree, type MiniStack, REGION, startMiniStack } from './ministack.ts';
import { call, type Stage } from './stage.ts';
import { measureFreshness, startWitness } from './witness.ts';

/*
 * npm run test:deployed: deploys two fresh stages to a LocalStack-compatible target, runs the contract tests of the
 * local host against one of them, waits for the clock in both, removes them and looks for remaining resources.
 */

const PORT = 4566;
/** The clock ticks once a minute, and finds an item a minute after its creation. */
const TICK_WITHIN_MS = 4 * 60_000;
const POLL_MS = 2_000;

async function main(): Promise<void> {
  const run = randomBytes(3).toString('hex');
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-deployed-'));
  process.env.CDK_HOME = dir;
  const deployed = new Set<string>();
  let target: MiniStack | null = null;
  let freshness = 'Fresh events: not measured, because this requires a target that is started here.';
  try {
    target = await findTarget();
    const endpoint = String(process.env.AWS_ENDPOINT_URL);
    // Functions of a target elsewhere would not reach it.
    await using stripe = target && (await startStripe());
    await using witness = target && (await startWitness(target.endpoint));
    const { kinds, takeInventory } = await loadInventory();
    const before = await takeInventory();
    const names = [`t${run}-a`, `t${run}-b`];
    for (const [place, name] of names.entries()) {
      deployed.add(name);
      // The second one is reached by way of the witness, also by itself.
      const reachedAt = addressAt((place === 1 && witness?.endpoint) || endpoint);
      const forCdk = argumentsFor(reachedAt, target !== null, stripe?.apiUrl);
      await (target !== null && place === 0
        ? step(`Deploying ${name} into a new account, as the pipeline does`, () => deployAsCi(name, forCdk))
        : step(`Deploying ${name}`, () => deploy(name, forCdk)));
    }
    const [one, two] = await step('Making keys', () => Promise.all(names.map(openStage)));
    if (one === undefined || two === undefined) {
      throw new Error('two stages were deployed');
    }
    const expiring = await Promise.all([createExpiring(one), createExpiring(two)]);
    await step('pg listen forwards from a stage', () => expectForwarded(one, dir));
    await step('pg exam examines a shop', () => expectExamined(one, dir));
    await step('A stage refuses endpoints on this machine', () => expectLoopbackRefused(one));
    await step('Live worlds are connected to a provider', () => expectConnected({ one, two }));
    const live = stripe && (await step('Live money goes through a provider', () => expectLive(one, stripe)));
    await step('Two stages share nothing', () => expectApart(one, two));
    // Meanwhile, the created items become due.
    await step('The contract over HTTP', () => runContractTests(one, dir, stripe?.apiUrl));
    await step('A tick of the schedule, in both', () =>
      Promise.all([
        expectExpired(one, expiring[0]),
        expectExpired(two, expiring[1]),
        live && expectExpired(live.stage, live.payment).then(() => expectStopped(live, stripe)),
      ]),
    );
    if (witness !== null) {
      freshness = await step('How fresh events are', () => measureFreshness(two, witness));
    }
    await step('The stages are listed', () => expectListed(names));
    // Some physical names have lost their dashes.
    const isOwn = (item: string) =>
      names.some((name) => item.replaceAll('-', '').includes(stackNameOf(name).replaceAll('-', '')));
    // An inventory that misses deployed resources would also miss remaining ones.
    const present = (await takeInventory()).filter(isOwn);
    const unseen = kinds.filter((kind) => !present.some((item) => item.startsWith(`${kind} `)));
    if (unseen.length > 0) {
      throw new Error(`of two stages, no ${unseen.join(', no ')} is seen`);
    }
    await step(`Removing both, ${present.length} things`, () => Promise.all(names.map(destroy)));
    deployed.clear();
    await step('Looking for what is left', async () => {
      // On a shared target, the things of others may come and go.
      const left = (await takeInventory()).filter((item) => isOwn(item) && !before.includes(item));
      if (left.length > 0) {
        throw new Error(`left behind:\n  ${left.join('\n  ')}`);
      }
    });
  } catch (error) {
    if (target !== null) {
      console.error(lastLines(target.complaints()));
    }
    throw error;
  } finally {
    // A target that was started here is ended as a whole; elsewhere, the deployed stage is removed.
    await (target?.stop() ?? Promise.allSettled([...deployed].map(destroy)));
    await rm(dir, { recursive: true, force: true });
  }
  if (target !== null && !(await isFree(PORT))) {
    throw new Error(`Something is left: port ${PORT} is still taken.`);
  }
  console.log(`\n${freshness}\nDeployed, proven and removed without a trace.`);
}

/**
 * Uses the target at AWS_ENDPOINT_URL, else starts a target of its own and bootstraps it like a new account.
 * @returns the target that was started here
 */
async function findTarget(): Promise<MiniStack | null> {
  if (process.env.AWS_ENDPOINT_URL !== undefined) {
    console.log(`Using what runs at ${process.env.AWS_ENDPOINT_URL}.`);
    return null;
  }
  if (!(await isFree(PORT))) {
    throw new Error(`Port ${PORT} is taken: end what runs there, or name it by AWS_ENDPOINT_URL.`);
  }
  const target = await step('Starting MiniStack', () => startMiniStack(PORT));
  Object.assign(process.env, {
    AWS_ENDPOINT_URL: target.endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_EC2_METADATA_DISABLED: 'true',
  });
  await step('Bootstrapping', () => runQuietly('cdk', ['bootstrap', `aws://${ACCOUNT}/${REGION}`]));
  return target;
}

/** A stand-in for Stripe, behind Stripe's validator; null if Go, which builds the validator, is not installed. */
async function startStripe() {
  if (!hasGo()) {
    console.warn(`Skipped: live money. ${NO_GO}.`);
    return null;
  }
  const mock = await startStripeMock();
  const standIn = await startStandIn(mock);
  const stop = async () => {
    await standIn.stop();
    await mock.stop();
  };
  return Object.assign(standIn, { [Symbol.asyncDispose]: stop });
}

function loadInventory() {
  // Loaded when the environment names the target, for the clients read it.
  return import('./inventory.ts');
}

/** @param withOwnCredentials MiniStack, where it enforces policies, hides the bootstrap's bucket from CDK's roles */
function argumentsFor(baseUrl: string, withOwnCredentials: boolean, stripeUrl: string | undefined): string[] {
  return [
    ...['-c', `baseUrl=${baseUrl}`],
    ...(stripeUrl ? ['-c', `STRIPE_API_URL=${stripeUrl}`] : []),
    ...(withOwnCredentials ? ['-c', 'credentials=cli'] : []),
  ];
}

function deploy(name: string, forCdk: readonly string[]): Promise<string> {
  return runQuietly('npm', ['run', 'deploy', '--', '--stage', name, '--', ...forCdk]);
}

/**
 * The address of an API at a target that stands in for AWS: one address for all APIs, except that LocalStack's own name
 * has a subdomain for each. Unlike API Gateway, a target does not pass the address to a function.
 */
function addressAt(endpoint: string): string {
  const { protocol, host, hostname } = new URL(endpoint);
  return hostname.endsWith('localstack.cloud')
    ? `${protocol}//${API_ID_PLACE}.execute-api.${host}/api`
    : `${protocol}//${host}/restapis/${API_ID_PLACE}/api/_user_request_`;
}

function destroy(name: string): Promise<string> {
  return runQuietly('npm', ['run', 'destroy', '--', '--stage', name, '--yes']);
}

async function openStage(name: string): Promise<Stage> {
  const { findStack, outputOf } = await import('../../infra/cli/cloud.ts');
  const stackName = stackNameOf(name);
  const stack = await findStack(stackName);
  const [baseUrl, tableName] = ['BaseUrl', 'TableName'].map((key) => stack && outputOf(stack, key));
  if (!baseUrl || !tableName) {
    throw new Error(`${stackName} has not the outputs BaseUrl and TableName`);
  }
  const order = ['create', '--merchant', `of-${name}`, '--preset', 'owner', '--stack', stackName, '--json'];
  const made = await runQuietly('node', ['infra/cli/keys.ts', ...order]);
  const dynamodbEndpoint = String(process.env.AWS_ENDPOINT_URL);
  return {
    name,
    stackName,
    baseUrl,
    tableName,
    dynamodbEndpoint,
    key: JSON.parse(made).key,
  };
}

/**
 * Runs the contract tests against a stage, and compares them with those that run against the local host.
 * @param stripeUrl where the stage's functions reach Stripe, so that the tests connect worlds there
 */
async function runContractTests(stage: Stage, dir: string, stripeUrl: string | undefined): Promise<void> {
  const report = path.join(dir, 'report.json');
  const child = spawn(
    'vitest',
    // Two workers keep a target busy that shares a small machine with them; with more it only responds later.
    [
      'run',
      '--project',
      'deployed',
      '--maxWorkers=2',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        ...(stripeUrl !== undefined && { STRIPE_API_URL: stripeUrl }),
        [DEPLOYED_SERVICE_VARIABLE]: JSON.stringify(stage),
      },
    },
  );
  const [code] = await once(child, 'exit');
  if (code !== 0) {
    throw new Error('Contract tests failed against the deployment.');
  }
  const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
    testResults: { name: string; assertionResults: { status: string }[] }[];
  };
  const ran = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'passed').map(() => path.basename(name)),
  );
  const listed = await runQuietly('vitest', [
    'list',
    ...CONTRACT_TESTS,
    '--project',
    'service',
    '--project',
    'scenarios',
    '--project',
    'browser',
    '--no-static-parse',
    '--json',
  ]);
  const local = (JSON.parse(listed) as { file: string }[]).map(({ file }) => path.basename(file));
  const excepted = local.filter((file) => file in EXCEPTIONS);
  console.log(
    `  ${ran.length} contract tests ran against the deployment, of ${local.length} that run against the local host.`,
  );
  for (const [file, reason] of Object.entries(EXCEPTIONS)) {
    const count = excepted.filter((name) => name === file).length;
    console.log(`  Not run: ${file} (${count}) ${reason}.`);
  }
  if (ran.length !== local.length - excepted.length || excepted.length === 0) {
    throw new Error('The contract tests of the deployment are not those of the local host.');
  }
}

/** A payment that is never paid, and that no request reads: only the clock can report its end. */
async function createExpiring(stage: Stage): Promise<string> {
  const { status, body } = await call(stage, 'POST', '/payments', {
    amount: { currency: 'THB', minor: 1_000 },
    method: 'promptpay',
    expires_in_minutes: 1,
  });
  if (status !== 201) {
    throw new Error(`a payment in ${stage.name} answered ${status}`);
  }
  return body.id;
}

async function expectExpired(stage: Stage, paymentId: string): Promise<void> {
  const giveUpAt = Date.now() + TICK_WITHIN_MS;
  for (;;) {
    const { body } = await call(stage, 'GET', `/events?resource_id=${paymentId}`);
    if (body.data.some(({ type }) => type === 'payment.expired')) {
      return;
    }
    if (Date.now() > giveUpAt) {
      throw new Error(`no tick came in ${stage.name}`);
    }
    await sleep(POLL_MS);
  }
}

async function expectApart(one: Stage, two: Stage): Promise<void> {
  const strangers = [
    await call({ ...one, key: two.key }, 'GET', '/payments'),
    await call({ ...two, key: one.key }, 'GET', '/payments'),
  ];
  const own = await call(two, 'GET', '/payments');
  const isApart =
    one.tableName !== two.tableName &&
    one.baseUrl !== two.baseUrl &&
    strangers.every(({ status, body }) => status === 401 && body.code === 'api_key_invalid') &&
    own.body.data.length === 1;
  if (!isApart) {
    throw new Error('a stage knows something of the other one');
  }
}

async function expectListed(names: readonly string[]): Promise<void> {
  const listed = JSON.parse(await runQuietly('node', ['infra/cli/stacks.ts', '--json'])) as {
    stage: string;
  }[];
  const missing = names.filter((name) => !listed.some(({ stage }) => stage === name));
  if (missing.length > 0) {
    throw new Error(`not listed: ${missing.join(', ')}`);
  }
}

async function step<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  console.log(`${what} …`);
  const result = await act();
  console.log(`  done in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}

/** @throws Error with the output of the command, if it failed */
async function runQuietly(command: string, args: readonly string[]): Promise<string> {
  return (await runCommand(command, args)).stdout;
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
