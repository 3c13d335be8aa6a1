import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ensureBootstrap } from '../../infra/operator/bootstrap.ts';
import { useStandIn } from '../../infra/operator/use-stand-in.ts';
import { undoAtEnd, unlessInterrupted } from '../../infra/terminal/undo-at-end.ts';
import { deployStage, destroyStage } from '../deployed/deploy-stage.ts';
import { expectExamined } from '../deployed/expect-examined.ts';
import { createExpiring, expectExpired } from '../deployed/expect-expired.ts';
import { expectForwarded } from '../deployed/expect-forwarded.ts';
import { expectListed } from '../deployed/expect-listed.ts';
import { inventoryOf, wholeInventoryOf } from '../deployed/inventory-of.ts';
import { step } from '../deployed/step.ts';
import { isFree } from '../deployed/target.ts';
import { expectLeftAsSaid, LOCALSTACK_EXCEPTIONS } from '../deployed/target-exceptions.ts';
import { freePort } from '../support/tools/free-port.ts';
import { lastLines } from '../support/tools/run-command.ts';
import { expectOnDashboard } from './expect-on-dashboard.ts';
import { expectPaid } from './expect-paid.ts';
import { expectPicture } from './expect-picture.ts';
import { expectReadable } from './expect-readable.ts';
import { type LocalStack, startLocalStack } from './localstack.ts';
import { childrenOf, killIfThere, listenersOf, processesNaming } from './processes.ts';
import { createShownPayment } from './shown-payment.ts';

/*
 * npm run test:localstack: deploys a stage to LocalStack, which runs here without a container engine, and uses it as
 * its users do for two minutes. It shows what a stand-in for AWS hides that is less like AWS; the contract itself is
 * proven by npm run test:deployed.
 */

/** The kinds of things that this stage has none of: alarms and their topics are production's. */
const UNMADE = ['secret', 'topic', 'alarm'];

async function main(): Promise<void> {
  const startedAt = performance.now();
  const name = `t${randomBytes(3).toString('hex')}`;
  const port = await freePort();
  let target: LocalStack | undefined;
  const cleanUp = undoAtEnd(async () => {
    await target?.stop();
    // What this process runs has no target any more: a deployment would try on for a while.
    for (const pid of await childrenOf(process.pid)) {
      killIfThere(pid);
    }
  });
  try {
    target = await step('Starting LocalStack', () => startLocalStack(port));
    console.log(`  LocalStack ${target.version} at ${target.endpoint}, without a container engine`);
    await expectOnLoopback(target);
    await useStage(target, name);
    await expectOnLoopback(target);
  } catch (error) {
    await unlessInterrupted();
    if (target !== undefined) {
      console.error(lastLines(target.complaints()));
    }
    throw error;
  } finally {
    await (target === undefined ? cleanUp() : step('Stopping LocalStack', cleanUp));
  }
  await expectGone(target, port);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`\nDeployed, used and removed in ${seconds} s. Nothing of LocalStack is left.`);
}

async function useStage(target: LocalStack, name: string): Promise<void> {
  // Removed with the folder of LocalStack, whatever happens to this process.
  const dir = path.join(target.folder, 'run');
  await mkdir(dir);
  process.env.CDK_HOME = dir;
  await useStandIn(target.endpoint);
  await step('Bootstrapping', () => ensureBootstrap('dev'));
  const before = new Set(await inventoryOf(() => true));
  // Not by the name of the stage: LocalStack calls a topic `topic-12345678`.
  const isOwn = (item: string) => !before.has(item);
  const { stage, said } = await step(`Deploying ${name}`, () => deployStage(target.endpoint, name));
  if (!said.includes('responses are not compressed')) {
    throw new Error('the deployment does not say that it compresses nothing here');
  }
  const expiring = await createExpiring(stage);
  const payment = await step('A payment through the gateway', () => createShownPayment(stage));
  await step('Its QR as PNG', () => expectPicture(payment));
  await step('It is paid, and an event says so', () => expectPaid(stage, payment));
  await step('pg listen forwards from the stage', () => expectForwarded(stage, dir));
  await step('pg exam examines a shop', () => expectExamined(stage, dir));
  await step('A long response, for clients that accept gzip', () => expectReadable(stage));
  await step('The dashboard in Chromium', () => expectOnDashboard(stage, payment.reference));
  await step('A tick of the schedule', () => expectExpired(stage, expiring));
  await step('The stage is listed', () => expectListed([name]));
  const present = await wholeInventoryOf(isOwn, UNMADE);
  await step(`Removing it, ${present.length} things`, () => destroyStage(target.endpoint, name));
  await step('Looking for what is left', async () =>
    expectLeftAsSaid(await inventoryOf(isOwn), LOCALSTACK_EXCEPTIONS),
  );
  console.log('What is otherwise than in AWS, as the runs of the whole contract leave out:');
  for (const { reason } of LOCALSTACK_EXCEPTIONS) {
    console.log(`  ${reason}`);
  }
}

/** @throws Error where a process of LocalStack can be reached from another machine: whoever reaches it runs code here */
async function expectOnLoopback({ folder }: LocalStack): Promise<void> {
  const listeners = await listenersOf(await processesNaming(folder));
  if (listeners === null) {
    console.log('  Not checked: where it listens, since this machine does not tell.');
    return;
  }
  const open = listeners.filter(({ isOnLoopback }) => !isOnLoopback);
  if (open.length > 0 || listeners.length === 0) {
    const ports = open.map(({ port }) => port).join(', ') || 'none at all';
    throw new Error(`LocalStack listens on more than the loopback address, at ports: ${ports}`);
  }
  console.log(`  Its ${listeners.length} listening sockets are on the loopback address alone.`);
}

async function expectGone({ folder }: LocalStack, port: number): Promise<void> {
  const pids = await processesNaming(folder);
  const left = [
    ...(pids.length > 0 ? [`processes ${pids.join(', ')}`] : []),
    ...((await isFree(port)) ? [] : [`port ${port}`]),
    ...(existsSync(folder) ? [folder] : []),
  ];
  if (left.length > 0) {
    throw new Error(`Something is left: ${left.join(', ')}.`);
  }
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`);
  process.exitCode = 1;
});
