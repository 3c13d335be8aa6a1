import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { stackNameOf, stageOfBranch } from '../../infra/aws/stage.ts';
import { ensureBootstrap } from '../../infra/operator/bootstrap.ts';
import { contextAt, useStandIn } from '../../infra/operator/use-stand-in.ts';
import { startStandIn } from '../support/stripe/stand-in.ts';
import { startStripeMock } from '../support/stripe/stripe-mock.ts';
import { hasGo, NO_GO } from '../support/tools/go.ts';
import { lastLines } from '../support/tools/run-command.ts';
import { DEPLOYED_SERVICE_VARIABLE } from '../support/world/deployed-service.ts';
import { CONTRACT_TESTS, EXCEPTIONS, SLOW_FILES } from './contract-tests.ts';
import { deployAsCi } from './deploy-as-ci.ts';
import { deployStage, destroyStage } from './deploy-stage.ts';
import { expectConnected } from './expect-connected.ts';
import { expectExamined } from './expect-examined.ts';
import { createExpiring, expectExpired } from './expect-expired.ts';
import { expectForwarded } from './expect-forwarded.ts';
import { expectListed } from './expect-listed.ts';
import { expectLive, expectStopped } from './expect-live.ts';
import { expectLoopbackRefused } from './expect-loopback-refused.ts';
import { expectPageRuns, PAGE_BRANCH } from './expect-page-runs.ts';
import { expectUpdated } from './expect-updated.ts';
import { inventoryOf, wholeInventoryOf } from './inventory-of.ts';
import { startMiniStack } from './ministack.ts';
import { openWithNewKey } from './open-stage.ts';
import { runQuietly } from './run-quietly.ts';
import { call, type Stage } from './stage.ts';
import { step } from './step.ts';
import { isFree, type Target } from './target.ts';
import { exceptionsAt, expectLeftAsSaid, isNotRun, type TargetException } from './target-exceptions.ts';
import { measureFreshness, startWitness } from './witness.ts';

/*
 * npm run test:deployed: deploys two fresh stages to a LocalStack-compatible target, runs the contract tests of the
 * local host against one of them, waits for the clock in both, removes them and looks for remaining resources.
 */

const PORT = 4566;
/** Options of vitest that choose some of the contract tests: `--tagsFilter '!slow'`. */
const CHOSEN = process.argv.slice(2);

async function main(): Promise<void> {
  const run = randomBytes(3).toString('hex');
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-deployed-'));
  process.env.CDK_HOME = dir;
  const deployed = new Set<string>();
  let target: Target | null = null;
  let freshness = 'Fresh events: not measured, because this requires a target that is started here.';
  try {
    target = await findTarget();
    const endpoint = String(process.env.AWS_ENDPOINT_URL);
    // Functions of a target elsewhere would not reach it.
    await using stripe = target && (await startStripe());
    const exceptions = await exceptionsAt(endpoint);
    await using witness = target && (await startWitness(target.endpoint));
    const before = await inventoryOf(() => true);
    const branches = [`t${run}-a`, `t${run}/b`] as const;
    const names = branches.map(stageOfBranch);
    for (const name of names) {
      deployed.add(name);
    }
    const forCdk = argumentsFor(target !== null, stripe?.apiUrl);
    const one = await step(`Deploying ${names[0]} into a new account, as the pipeline does`, async () => {
      await deployAsCi(branches[0], [...contextAt(endpoint), ...forCdk]);
      return openWithNewKey(branches[0]);
    });
    // The second one is reached by way of the witness, also by itself, and has alarms.
    const ofSecond = [...contextAt(witness?.endpoint ?? endpoint), ...forCdk, '-c', 'alarms=on'];
    const { stage: two } = await step(`Deploying ${names[1]}, by one command`, () =>
      deployStage(endpoint, branches[1], ofSecond),
    );
    const expiring = await Promise.all([createExpiring(one), createExpiring(two)]);
    await step('pg listen forwards from a stage', () => expectForwarded(one, dir));
    await step('pg exam examines a shop', () => expectExamined(one, dir));
    await step('A stage refuses endpoints on this machine', () => expectLoopbackRefused(one));
    await step('Live worlds are connected to a provider', () => expectConnected({ one, two }));
    const live = stripe && (await step('Live money goes through a provider', () => expectLive(one, stripe)));
    await step('Two stages share nothing', () => expectApart(one, two));
    // Meanwhile, the created items become due.
    await step('The contract over HTTP', () =>
      runContractTests(one, { dir, stripeUrl: stripe?.apiUrl, exceptions }),
    );
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
      [...names, stageOfBranch(PAGE_BRANCH)].some((name) =>
        item.replaceAll('-', '').includes(stackNameOf(name).replaceAll('-', '')),
      );
    const present = await wholeInventoryOf(isOwn);
    await step('The second one is deployed again', () => expectUpdated(two, branches[1], ofSecond));
    await step('What the page on pipelines says is run', () => expectPageRuns(endpoint));
    await step(`Removing both, ${present.length} things`, () =>
      Promise.all(names.map((name) => destroyStage(endpoint, name))),
    );
    deployed.clear();
    await step('Looking for what is left', async () => {
      // On a shared target, the things of others may come and go.
      const left = await inventoryOf((item) => isOwn(item) && !before.includes(item));
      expectLeftAsSaid(left, exceptions);
    });
  } catch (error) {
    if (target !== null) {
      console.error(lastLines(target.complaints()));
    }
    throw error;
  } finally {
    // A target that was started here is ended as a whole; elsewhere, the deployed stage is removed.
    await (target?.stop() ??
      Promise.allSettled(
        [...deployed].map((name) => destroyStage(String(process.env.AWS_ENDPOINT_URL), name)),
      ));
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
async function findTarget(): Promise<Target | null> {
  if (process.env.AWS_ENDPOINT_URL !== undefined) {
    console.log(`Using what runs at ${process.env.AWS_ENDPOINT_URL}.`);
    return null;
  }
  if (!(await isFree(PORT))) {
    throw new Error(`Port ${PORT} is taken: end what runs there, or name it by AWS_ENDPOINT_URL.`);
  }
  const target = await step('Starting MiniStack', () => startMiniStack(PORT));
  await useStandIn(target.endpoint);
  await step('Bootstrapping', () => ensureBootstrap('dev'));
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

function argumentsFor(isMiniStack: boolean, stripeUrl: string | undefined): string[] {
  return [
    ...(stripeUrl ? ['-c', `STRIPE_API_URL=${stripeUrl}`] : []),
    // Its gateway decodes as AWS's does.
    ...(isMiniStack ? ['-c', 'gateway=aws'] : []),
  ];
}

interface ContractRun {
  /** For its report. */
  readonly dir: string;
  /** Where the stage's functions reach Stripe, so that the tests connect worlds there. */
  readonly stripeUrl: string | undefined;
  readonly exceptions: readonly TargetException[];
}

/** Runs the contract tests against a stage, and compares them with those that run against the local host. */
async function runContractTests(stage: Stage, { dir, stripeUrl, exceptions }: ContractRun): Promise<void> {
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
      ...CHOSEN,
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
    'slow',
    '--exclude',
    SLOW_FILES,
    '--no-static-parse',
    '--json',
    ...CHOSEN,
  ]);
  const local = (JSON.parse(listed) as { file: string; name: string }[]).map(({ file, name }) => ({
    file: path.basename(file),
    name,
  }));
  const excepted = local.filter(
    (each) => each.file in EXCEPTIONS || exceptions.some((exception) => isNotRun(exception, each)),
  );
  console.log(
    `  ${ran.length} contract tests ran against the deployment, of ${local.length} that run against the local host.`,
  );
  for (const [file, reason] of Object.entries(EXCEPTIONS)) {
    const count = excepted.filter((each) => each.file === file).length;
    console.log(`  Not run: ${file} (${count}) ${reason}.`);
  }
  for (const exception of exceptions) {
    const count = excepted.filter((each) => isNotRun(exception, each)).length;
    console.log(`  Not run: ${count}, since ${exception.reason}.`);
  }
  if (ran.length !== local.length - excepted.length || excepted.length === 0) {
    throw new Error('The contract tests of the deployment are not those of the local host.');
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

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
