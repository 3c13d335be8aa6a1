import { readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { isProduction, stageOfBranch } from '../../infra/aws/stage.ts';
import manifest from '../../package.json' with { type: 'json' };
import { runStep } from '../support/tools/run-step.ts';

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

const text = readFileSync('.github/workflows/ci.yml', 'utf8');
const workflow = parse(text) as {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};
const jobs = Object.entries(workflow.jobs);
const withToken = jobs.filter(([, { permissions }]) => permissions?.['id-token'] !== undefined);
const allSteps = jobs.flatMap(([, { steps }]) => steps);
const commands = jobs.flatMap(([, { steps }]) =>
  steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
);

/** What GitHub puts instead of this. */
function expression(text: string): string {
  return `\${{ ${text} }}`;
}

describe('the workflow', () => {
  test('runs commands that exist', () => {
    const scripts = commands.flatMap((command) =>
      [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
    );
    expect(scripts.length).toBeGreaterThan(4);
    expect(scripts.filter((name) => !(String(name) in manifest.scripts))).toEqual([]);
  });

  test('runs every command of .ci/run', () => {
    const everything = readFileSync('.ci/run', 'utf8').match(/^npm .+$|(?<=")npm [^"]+/gm) ?? [];
    expect(everything.length).toBeGreaterThan(6);
    expect(everything.filter((command) => !commands.includes(command))).toEqual([]);
  });

  test('installs the tools that tests take before them, so that none is skipped', () => {
    for (const script of ['.ci/run', '.ci/nightly']) {
      expect(readFileSync(script, 'utf8')).toMatch(
        /^\.ci\/tools(?: nightly)? & installing=\$!\nnpm ci\nwait "\$installing"$/m,
      );
    }
    const testing = jobs.filter(([, { steps }]) =>
      steps.some(({ run = '' }) => /^npm (test|run test:)/.test(run)),
    );
    expect(testing.map(([name]) => name)).toEqual(['test', 'deployed', 'nightly', 'localstack']);
    for (const [name, { steps }] of testing) {
      const run = steps.flatMap((step) => step.run ?? []);
      const installing = run.findIndex((each) => ['.ci/tools', '.ci/nightly'].includes(each));
      expect(installing, name).toBeGreaterThanOrEqual(0);
      expect(installing, name).toBeLessThan(run.findIndex((each) => /^npm (test|run)/.test(each)));
    }
  });

  test('takes more time each night, for the tests that are too long for a push', () => {
    const { on } = parse(text) as { on: { schedule: unknown[] } };
    expect(on.schedule).toHaveLength(1);
    const { if: condition, steps = [] } = workflow.jobs.nightly ?? {};
    expect(condition).toBe("github.event_name == 'schedule'");
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['.ci/nightly', 'npm run test:planted']);
    expect(steps.find(({ run }) => run === '.ci/nightly')?.env).toMatchObject({
      CHAOS_SECONDS: expect.any(String),
      EXAM_SEEDS: expect.any(String),
    });
    const others = jobs.filter(([name]) => name !== 'nightly').map(([, job]) => job.if);
    expect(others.filter((each) => !each?.includes("github.event_name == '"))).toEqual([]);
  });

  test('installs locked packages without scripts in jobs that can get a cloud token', () => {
    for (const [name, { steps }] of withToken) {
      const run = steps.flatMap((step) => step.run ?? []);
      const installing = run.filter((each) => /\b(npm|npx|yarn|pnpm|pip|curl|wget|apt)\b/.test(each));
      expect(installing, name).toEqual(['npm ci --ignore-scripts']);
      const roleAt = steps.findIndex(({ uses = '' }) => uses.startsWith('aws-actions/'));
      expect(steps.findIndex(({ run: each }) => each === 'npm ci --ignore-scripts')).toBeLessThan(roleAt);
      // What is cached was installed: by any branch.
      expect(JSON.stringify(steps), name).not.toMatch(/"cache":|actions\/cache/);
    }
  });

  test('each state of a checkout page, and each page of the dashboard, is kept as a picture', () => {
    const { steps = [] } = workflow.jobs.nightly ?? {};
    const folder = steps.find(({ run }) => run === '.ci/nightly')?.env?.PICTURES;
    const kept = steps.find(({ with: given }) => given?.name === 'pages')?.with?.path;
    const nightly = readFileSync('.ci/nightly', 'utf8');
    const [, pages] = /test\/pictures\/take\.ts (\S+)/.exec(nightly) ?? [];
    expect([folder, pages]).toEqual([`${kept}/checkout`, `${kept}/pages`]);
  });

  test('reaches LocalStack by an address that CDK and the containers of functions can use', () => {
    const { env, steps = [] } = workflow.jobs.localstack as Job;
    const { hostname } = new URL(String(env?.AWS_ENDPOINT_URL));
    const isAddress = hostname === '127.0.0.1';
    // By any other name, CDK puts that of the bucket before it, which LocalStack takes for no bucket.
    expect(isAddress || env?.CDK_S3_FORCE_PATH_STYLE === '1').toBe(true);
    expect(steps.find(({ uses }) => uses?.startsWith('LocalStack/'))?.with).toMatchObject({
      'use-pro': 'false',
    });
  });

  test('limits the time of every job', () => {
    expect(jobs.filter(([, job]) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});

const DEPLOYING = 'node infra/pg/pg.ts admin deploy --stage "$STAGE" --app assembly/cdk.out';

describe('the workflow of a stage', () => {
  test.each([
    ['deploy', []],
    ['deploy-production', ['protection']],
  ])('%s deploys only after all checks and tests', (name, more) => {
    expect(workflow.jobs[name]?.needs).toEqual(['check', 'test', 'deployed', 'assembly', ...more]);
    expect(workflow.jobs[name]?.if).toContain("github.event_name == 'push'");
  });

  test('lets only the jobs that deploy and destroy take on a role', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(withToken.map(([name]) => name)).toEqual(['deploy', 'deploy-production', 'destroy']);
    const taking = jobs.filter(([, { steps }]) => JSON.stringify(steps).includes('role-to-assume'));
    expect(taking).toEqual(withToken);
  });

  test.each(['deploy', 'deploy-production'])(
    '%s deploys what a job without a token built, with the locked CDK',
    (name) => {
      const { steps = [] } = workflow.jobs[name] ?? {};
      expect(steps.map(({ uses, run }) => uses?.split('@')[0] ?? run)).toEqual([
        'actions/checkout',
        'actions/setup-node',
        'npm ci --ignore-scripts',
        'actions/download-artifact',
        '.ci/unpack assembly.tar "$DIGEST" assembly',
        'aws-actions/configure-aws-credentials',
        // The command of operators, which sets up a new account first.
        ...(name === 'deploy'
          ? [
              `${DEPLOYING} --json > stage.json`,
              expect.stringMatching(/^echo "base_url=.+" >> "\$GITHUB_OUTPUT"$/),
            ]
          : [DEPLOYING]),
      ]);
      expect(steps.find(({ run }) => run?.startsWith(DEPLOYING))?.env).toEqual({
        STAGE: expression('needs.assembly.outputs.stage'),
      });
      const { steps: building = [], permissions } = workflow.jobs.assembly ?? {};
      expect(permissions).toBeUndefined();
      const kept = building.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
      // No program: nothing that another job of the run writes there is run.
      expect(kept?.with).toMatchObject({ name: 'assembly', path: 'assembly.tar' });
      expect(building.flatMap(({ run }) => run ?? [])).toEqual([
        'npm ci',
        expect.stringContaining('name-stage'),
        'npm run synth',
        expect.stringContaining('assembly.tar'),
      ]);
    },
  );

  test.each(['deploy', 'deploy-production'])(
    '%s unpacks what was built, and refuses other files',
    { tags: 'slow' },
    async (name) => {
      const dir = await mkdtemp(path.join(tmpdir(), 'payments-assembly-'));
      onTestFinished(() => rm(dir, { recursive: true }));
      await mkdir(path.join(dir, 'cdk.out'));
      await writeFile(path.join(dir, 'cdk.out', 'manifest.json'), '{}');
      await symlink(path.resolve('.ci'), path.join(dir, '.ci'));
      const packing = workflow.jobs.assembly?.steps.find(({ id }) => id === 'assembly');
      await runStep(packing?.run, dir, { GITHUB_OUTPUT: path.join(dir, 'output') });
      const [, digest = ''] =
        /^digest=([0-9a-f]{64})$/m.exec(await readFile(path.join(dir, 'output'), 'utf8')) ?? [];
      expect(workflow.jobs.assembly?.outputs?.digest).toBe(expression('steps.assembly.outputs.digest'));

      const opening = workflow.jobs[name]?.steps.find(({ run }) => run?.startsWith('.ci/unpack '));
      expect(opening?.env).toEqual({ DIGEST: expression('needs.assembly.outputs.digest') });
      await runStep(opening?.run, dir, { DIGEST: digest });
      expect(await readFile(path.join(dir, 'assembly', 'cdk.out', 'manifest.json'), 'utf8')).toBe('{}');

      await rm(path.join(dir, 'assembly'), { recursive: true });
      await appendFile(path.join(dir, 'assembly.tar'), ' ');
      await expect(runStep(opening?.run, dir, { DIGEST: digest })).rejects.toThrow();
      await expect(readFile(path.join(dir, 'assembly', 'cdk.out', 'manifest.json'))).rejects.toThrow();
    },
  );

  test('the CDK that deploys needs no other package', () => {
    const { dependencies = {} } = JSON.parse(readFileSync('node_modules/aws-cdk/package.json', 'utf8'));
    expect(dependencies).toEqual({});
  });

  test('deploys production only from its branch, in its environment, with its own role', () => {
    const [name, ...others] = jobs
      .filter(([, { steps }]) =>
        steps.some((step) => step.with?.['role-to-assume'] === expression('vars.AWS_ROLE_PRODUCTION')),
      )
      .map(([each]) => each);
    expect([name, others]).toEqual(['deploy-production', []]);
    const { environment, if: condition, steps = [] } = workflow.jobs['deploy-production'] ?? {};
    expect(environment).toBe('production');
    // GitHub compares without regard to case, which would take a branch called Production for it.
    expect(condition).toContain("github.ref == 'refs/heads/production'");
    expect(condition).toContain("needs.assembly.outputs.stage == 'production'");
    expect(JSON.stringify(steps)).not.toContain('vars.AWS_ROLE }}');
    expect(isProduction(stageOfBranch('production'))).toBe(true);
    expect(stageOfBranch('Production')).not.toBe('production');
  });

  test('deploys production only once its environment is known to be protected', () => {
    const { steps = [], if: condition, permissions } = workflow.jobs.protection ?? {};
    expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['node infra/operator/check-protection.ts']);
    expect(steps.at(-1)?.env).toEqual({
      GITHUB_TOKEN: expression('github.token'),
      AWS_ROLE: expression('vars.AWS_ROLE'),
      AWS_ROLE_PRODUCTION: expression('vars.AWS_ROLE_PRODUCTION'),
    });
    expect(permissions).toEqual({ contents: 'read', actions: 'read' });
    expect(condition).toBe(
      "github.event_name == 'push' && vars.AWS_ROLE_PRODUCTION != '' && github.ref == 'refs/heads/production'",
    );
  });

  test.each<[string, boolean]>([
    [`2026.9.1@sha256:${'0a'.repeat(32)}`, true],
    ['latest', false],
    ['2026.9.1', false],
    [`latest@sha256:${'0a'.repeat(31)}`, false],
    [`latest@sha256:${'0a'.repeat(32)} --privileged`, false],
    ['', false],
  ])('runs a third-party image only by its digest: %s, %s', { tags: 'slow' }, async (image, isRun) => {
    const { steps = [], if: condition } = workflow.jobs.localstack ?? {};
    expect(condition).toContain("vars.LOCALSTACK_IMAGE != ''");
    const [first] = steps;
    expect(first?.env).toEqual({ IMAGE: expression('vars.LOCALSTACK_IMAGE') });
    const checked = runStep(first?.run, '.', { IMAGE: image });
    expect(
      await checked.then(
        () => true,
        () => false,
      ),
    ).toBe(isRun);
    const images = allSteps.flatMap((step) => step.with?.['image-tag'] ?? []);
    expect(images).toEqual([expression('vars.LOCALSTACK_IMAGE')]);
    expect(JSON.stringify(workflow.jobs)).not.toMatch(
      /"(container|services|image)":|docker:\/\/|docker run|docker pull/,
    );
  });

  test('removes a stage by the command of operators, with the secrets of its live worlds', () => {
    const run = workflow.jobs.destroy?.steps.flatMap((step) => step.run ?? []) ?? [];
    expect(run).toEqual([
      'npm ci --ignore-scripts',
      'node infra/pg/pg.ts admin destroy --branch "$BRANCH" --yes',
    ]);
    expect(workflow.jobs.destroy?.steps.at(-1)?.env).toEqual({ BRANCH: expression('github.event.ref') });
  });

  test('neither deploys nor removes what is production with the role of the test stages', () => {
    expect(isProduction('production')).toBe(true);
    expect(workflow.jobs.deploy?.if).toContain("needs.assembly.outputs.stage != 'production'");
    expect(workflow.jobs.destroy?.if).toContain("github.event.ref != 'production'");
  });
});

describe('the workflow that removes stages nobody needs', () => {
  const {
    jobs: weekly,
    permissions,
    on,
  } = parse(readFileSync('.github/workflows/stages.yml', 'utf8')) as {
    jobs: Record<string, Job>;
    permissions: object;
    on: Record<string, unknown>;
  };

  test('runs each week, with the role of test stages alone', () => {
    expect(Object.keys(on)).toEqual(['schedule', 'workflow_dispatch']);
    expect(permissions).toEqual({ contents: 'read' });
    expect(Object.keys(weekly)).toEqual(['remove']);
    expect(JSON.stringify(weekly)).not.toContain('AWS_ROLE_PRODUCTION');
    expect(weekly.remove?.['timeout-minutes']).toBeGreaterThan(30);
  });

  test('removes what has ended or lost its branch, with locked packages without scripts', () => {
    const run = weekly.remove?.steps.flatMap((step) => step.run ?? []) ?? [];
    expect(run[0]).toBe('npm ci --ignore-scripts');
    expect(run).toHaveLength(2);
    expect(run[1]).toContain('admin stages --ended --without-branch --destroy --yes');
  });
});

test('a pull request gets its comment by a job that has no cloud, and may write nothing else', () => {
  const { permissions, needs, steps = [] } = workflow.jobs.comment ?? {};
  expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  expect(needs).toEqual(['test', 'deployed', 'deploy', 'figures']);
  expect(steps.flatMap(({ run }) => run ?? [])).toEqual(['node test/ci/write-comment.ts']);
  const measuring = workflow.jobs.figures?.steps.flatMap(({ run }) => run ?? []);
  expect(measuring).toContain('npm run bench -- --only operations | tee operations.md');
});
