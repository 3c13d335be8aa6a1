// @module-tag nightly
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runCommand } from '../../support/tools/run-command.ts';
import { runAdmin, SIGNED_IN, stacks, startCloudFormation } from './fake-cloud.ts';

const DAY_MS = 24 * 3_600_000;
const daysFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** A stage with what its tags say, deployed a number of days ago. */
function stageOf(
  stage: string,
  daysAgo: number,
  tags: Readonly<Record<string, string>> = {},
  isProtected = false,
) {
  const prefixed = Object.entries({ stage, ...tags }).map(([name, value]) => [`payments:${name}`, value]);
  return {
    name: `payments-${stage}`,
    tags: Object.fromEntries(prefixed),
    updatedAt: daysFromNow(-daysAgo),
    isProtected,
  };
}

const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true }))));

/** A clone with a branch of its own and one at its remote. */
async function cloneWithBranches(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-branches-'));
  dirs.push(dir);
  const script = `git init -q remote && cd remote && git -c user.name=x -c user.email=x@x.example commit -q --allow-empty -m x
    git branch feature/pushed && cd .. && git clone -q remote clone && cd clone && git branch feature/local`;
  await runCommand('bash', ['-ec', script], { cwd: dir });
  return path.join(dir, 'clone');
}

describe.concurrent('stages that nobody needs', () => {
  const given = stacks(
    stageOf('old', 9),
    stageOf('fresh', 1),
    stageOf('over', 1, { 'ends-at': daysFromNow(-1) }),
    stageOf('running', 1, { 'ends-at': daysFromNow(1) }),
    stageOf('production', 90),
    stageOf('kept', 90, {}, true),
  );

  test('are those of a certain age, by their last deployment: production and protected ones never', async () => {
    const { endpoint } = await startCloudFormation(given);
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { stdout } = await runAdmin(['stages', '--older-than', '7d', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject([
      { stage: 'old', why_removable: [`not deployed since ${daysFromNow(-9).slice(0, 10)}`] },
    ]);
  });

  test('are those whose end has passed, and each choice adds its own', async () => {
    const { endpoint } = await startCloudFormation(given);
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const named = async (...args: string[]) =>
      JSON.parse((await runAdmin(['stages', ...args, '--json'], env)).stdout).map(
        ({ stage }: { stage: string }) => stage,
      );
    expect(await named('--ended')).toEqual(['over']);
    expect((await named('--ended', '--older-than', '7d')).toSorted()).toEqual(['old', 'over']);
  });

  test('are those of a branch that is neither here nor at the remote', async () => {
    const { endpoint } = await startCloudFormation(
      stacks(
        stageOf('a', 1, { branch: 'feature/pushed' }),
        stageOf('b', 1, { branch: 'feature/local' }),
        stageOf('c', 1, { branch: 'feature/gone' }),
        stageOf('by-hand', 1),
      ),
    );
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const shown = await runAdmin(['stages', '--without-branch'], env, { cwd: await cloneWithBranches() });
    const stdout = expect.stringMatching(/^c +\d+ d +CREATE_COMPLETE .*its branch feature\/gone is gone\n$/);
    expect(shown).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('are none where git does not say which branches there are', async () => {
    const clone = await cloneWithBranches();
    await rm(path.join(clone, '..', 'remote'), { recursive: true });
    const { endpoint, deleted } = await startCloudFormation(
      stacks(stageOf('c', 1, { branch: 'feature/gone' })),
    );
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const args = ['stages', '--without-branch', '--destroy', '--yes'];
    const nothing = {
      code: 1,
      stderr: expect.stringMatching(/^git does not say which branches there are: /),
    };
    expect(await runAdmin(args, env, { cwd: clone })).toMatchObject(nothing);
    // Nor where the remote has none at all, as one that was just made anew.
    await runCommand('git', ['init', '-q', path.join(clone, '..', 'remote')]);
    expect(await runAdmin(args, env, { cwd: clone })).toMatchObject(nothing);
    expect(deleted).toEqual([]);
  });

  test('show their branch, their owner and their end', async () => {
    const tags = { branch: 'feature/x', owner: 'ann', 'ends-at': '2099-01-02T00:00:00.000Z' };
    const { endpoint } = await startCloudFormation(stacks(stageOf('a', 1, tags)));
    const { stdout } = await runAdmin(['stages'], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
    expect(stdout).toMatch(/ branch feature\/x, of ann, until 2099-01-02\n$/);
  });
});

describe.concurrent('removing the stages that nobody needs', () => {
  test('removes the chosen ones, and no others', async () => {
    const { endpoint, deleted } = await startCloudFormation(
      stacks(stageOf('old', 9), stageOf('fresh', 1), stageOf('production', 90)),
    );
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { code, stderr } = await runAdmin(['stages', '--older-than', '7d', '--destroy', '--yes'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '"old" is removed with all its data.\n' });
    expect(deleted).toEqual(['arn:payments-old']);
  });

  test('asks first, and needs a choice', async () => {
    const { endpoint, deleted } = await startCloudFormation(stacks(stageOf('old', 9)));
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const asking = await runAdmin(['stages', '--older-than', '7d', '--destroy'], env);
    expect([asking.code, asking.stderr]).toEqual([1, expect.stringContaining('add --yes')]);
    const { code, stderr } = await runAdmin(['stages', '--destroy', '--yes'], env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^--destroy needs a choice: /)]);
    expect(deleted).toEqual([]);
  });
});

describe.concurrent('a stage that could not be deleted', () => {
  const failed = stacks({ ...stageOf('stuck', 9), status: 'DELETE_FAILED' });
  const held = ['logs-of-stuck', 'The bucket you tried to delete is not empty'] as const;

  test('is listed with what holds it, and why', async () => {
    const { endpoint } = await startCloudFormation(failed, { held });
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { stdout } = await runAdmin(['stages'], env);
    expect(stdout).toContain(`DELETE_FAILED  \n  held by AWS::S3::Bucket ${held[0]}: ${held[1]}\n`);
    expect(JSON.parse((await runAdmin(['stages', '--json'], env)).stdout)).toMatchObject([
      { stage: 'stuck', held_by: [{ type: 'AWS::S3::Bucket', id: held[0], reason: held[1] }] },
    ]);
  });

  test('is named with what holds it when its removal fails', async () => {
    const { endpoint, deleted } = await startCloudFormation(failed, { held });
    const env = { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint };
    const { code, stderr } = await runAdmin(['destroy', '--stage', 'stuck', '--yes'], env);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `payments-stuck could not be removed:\n  held by AWS::S3::Bucket ${held[0]}: ${held[1]}\n`,
    });
    expect(deleted).toEqual(['arn:payments-stuck']);
  });
});
