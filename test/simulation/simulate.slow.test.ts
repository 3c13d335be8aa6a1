import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { KEPT_SEEDS } from './kept-seeds.ts';
import type { SimulatedRun } from './story.ts';

const run = promisify(execFile);
/** How long stories of fresh seeds are told. */
const SECONDS = process.env.SIMULATE_SECONDS ?? '60';

async function simulate(...args: readonly string[]) {
  const { stdout } = await run(process.execPath, ['test/simulation/run.ts', ...args], { maxBuffer: 2 ** 28 });
  return stdout;
}

async function runsOf(...args: readonly string[]): Promise<SimulatedRun[]> {
  const lines = (await simulate('--json', ...args)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as SimulatedRun);
}

describe('the simulated service', () => {
  test('tells one story for one seed, byte for byte', async () => {
    const [one, other] = await Promise.all([
      simulate('--seed', '7', '--story'),
      simulate('--seed', '7', '--story'),
    ]);
    const story = (text: string) => text.split('\n').slice(0, -2);
    expect(story(one).length).toBeGreaterThan(40);
    expect(story(other)).toEqual(story(one));
    const [[first], [again]] = await Promise.all([runsOf('--seed', '8'), runsOf('--seed', '8')]);
    expect(again?.digest).toBe(first?.digest);
    expect((await runsOf('--seed', '9'))[0]?.digest).not.toBe(first?.digest);
  });

  test('keeps every law, whatever goes wrong in the stories of fresh seeds', { tags: 'nightly' }, async ({
    task,
  }) => {
    const runs = await runsOf('--seconds', SECONDS);
    expect(runs.filter(({ violations }) => violations.length > 0)).toEqual([]);
    const sum = (name: 'requests' | 'faults') => runs.reduce((total, each) => total + each[name], 0);
    expect(Math.min(sum('requests'), sum('faults'))).toBeGreaterThan(0);
    task.meta.figures = {
      [`simulated stories from seed ${runs[0]?.seed} on`]: runs.length,
      'requests in them, every law held': sum('requests'),
      'faults in them': sum('faults'),
    };
  });

  test.for(KEPT_SEEDS)('keeps the law that seed $seed once broke: $shows', async ({ seed }) => {
    expect((await runsOf('--seed', String(seed)))[0]?.violations).toEqual([]);
  });
});
