import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Defect, plantInto } from '../planted/defect.ts';
import { DEFECTS } from '../planted/defects.ts';
import { copyCheckout } from '../support/tools/checkout-copy.ts';
import { KEPT_SEEDS } from './kept-seeds.ts';
import type { SimulatedRun } from './story.ts';

const run = promisify(execFile);
const PROGRAM = 'test/simulation/run.ts';

/** What the program prints; it ends with 1 where a law is broken. */
async function simulate(args: readonly string[], cwd = process.cwd()) {
  const options = { cwd, maxBuffer: 2 ** 28 };
  return run(process.execPath, [PROGRAM, ...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );
}

async function runsOf(...args: readonly string[]): Promise<SimulatedRun[]> {
  const { stdout } = await simulate(['--json', ...args]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SimulatedRun);
}

function linesOf(text: string): number {
  return text.trim().split('\n').length;
}

describe('the simulated service', () => {
  test('tells one story for one seed, byte for byte', async () => {
    const [one, other] = await Promise.all([
      simulate(['--seed', '1', '--story']),
      simulate(['--seed', '1', '--story']),
    ]);
    const story = (text: string) => text.split('\n').slice(0, -2);
    expect(story(one.stdout).length).toBeGreaterThan(40);
    expect(story(other.stdout)).toEqual(story(one.stdout));
  });

  test('tells the story of a seed alike, whatever its process has told before', async () => {
    const digests = (runs: readonly SimulatedRun[]) =>
      runs.toSorted((a, b) => a.seed - b.seed).map(({ digest }) => digest);
    const [alone, together] = await Promise.all([
      runsOf('--seed', '9'),
      runsOf('--seed', '7', '--stories', '3', '--workers', '1'),
    ]);
    expect(new Set(digests(together)).size).toBe(3);
    expect(digests(together)[2]).toBe(digests(alone)[0]);
  });

  test('shows a broken law by its shortest story and a command, and fails unless it may be rare', async () => {
    await using copy = await copyCheckout();
    const defect = DEFECTS.find(({ id }) => id === 'returned-payout-vanishes') as Defect;
    const file = path.join(copy.folder, defect.file);
    await writeFile(file, plantInto(await readFile(file, 'utf8'), defect));
    const found = await simulate(
      ['--seed', '1', '--seconds', '60', '--workers', '1', '--first'],
      copy.folder,
    );
    expect(found.code).toBe(1);
    expect(found.stderr).toMatch(/Seed \d+ breaks a law:\n {2}conservation: /);
    const [, seed = '', without = ''] = /--seed (\d+) --story --without "([^"]*)"/.exec(found.stderr) ?? [];
    const shortest = found.stderr.slice(
      found.stderr.indexOf('The shortest story:'),
      found.stderr.indexOf('Again:'),
    );
    const whole = await simulate(['--seed', seed, '--story', '--finds', '1'], copy.folder);
    expect(whole.stderr).toContain(`Seed ${seed} breaks a law:`);
    expect(whole.code).toBe(0);
    expect(linesOf(shortest)).toBeLessThan(linesOf(whole.stdout) / 1.5);
    const again = await simulate(['--seed', seed, '--without', without, '--json'], copy.folder);
    expect(again.code).toBe(1);
    const { violations } = JSON.parse(again.stdout.split('\n')[0] ?? '') as SimulatedRun;
    expect(violations.map(({ law }) => law)).toContain('conservation');
  });

  test.for(KEPT_SEEDS)('keeps the law that seed $seed once broke: $shows', async ({ seed }) => {
    expect((await runsOf('--seed', String(seed)))[0]?.violations).toEqual([]);
  });
});
