import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SimulatedRun } from '../simulation/story.ts';
import type { TestRun } from './run-tests.ts';

/** Loading, and the last story, come on top. */
const GRACE_SECONDS = 60;
/** The same stories for each defect, so that a verdict is the same again. */
const FIRST_SEED = '1';

/**
 * Tells stories in a checkout, up to the first that breaks a law.
 * @returns the law and the seed in place of a test
 */
export async function runSimulation(folder: string, seconds: number): Promise<TestRun> {
  const startedAt = performance.now();
  const args = ['test/simulation/run.ts', '--json', '--seed', FIRST_SEED, '--seconds', String(seconds)];
  // In a group of its own: a story that never ends is ended with it.
  const child = spawn(process.execPath, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const end = () => process.kill(-Number(child.pid), 'SIGKILL');
  const timer = setTimeout(end, (seconds + GRACE_SECONDS) * 1_000);
  let [stories, failed] = [0, null as string | null];
  for await (const line of createInterface(child.stdout)) {
    const { seed, violations } = JSON.parse(line) as SimulatedRun;
    const [first] = violations;
    stories += 1;
    if (first !== undefined) {
      failed = `${first.law} (seed ${seed})`;
      end();
      break;
    }
  }
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'close');
  }
  clearTimeout(timer);
  if (stories === 0) {
    failed = 'no story begins';
  }
  return { failed, seconds: (performance.now() - startedAt) / 1_000 };
}
