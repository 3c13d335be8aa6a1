import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { SimulatedRun } from '../simulation/story.ts';
import type { TestRun } from './run-tests.ts';

/** Loading, and the last story, come on top. */
const GRACE_SECONDS = 60;

/**
 * Tells stories of fresh seeds in a checkout, up to the first that breaks a law.
 * @returns the law and the seed in place of a test
 * @throws Error where no story was told to its end
 */
export async function runSimulation(folder: string, seconds: number): Promise<TestRun> {
  const startedAt = performance.now();
  const args = ['test/simulation/run.ts', '--json', '--seconds', String(seconds)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), (seconds + GRACE_SECONDS) * 1_000);
  let [stories, failed] = [0, null as string | null];
  for await (const line of createInterface(child.stdout)) {
    const { seed, violations } = JSON.parse(line) as SimulatedRun;
    const [first] = violations;
    stories += 1;
    if (first !== undefined) {
      failed = `${first.law} (seed ${seed})`;
      child.kill('SIGKILL');
      break;
    }
  }
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, 'close');
  }
  clearTimeout(timer);
  if (stories === 0) {
    throw new Error('no story was told to its end');
  }
  return { failed, seconds: (performance.now() - startedAt) / 1_000 };
}
