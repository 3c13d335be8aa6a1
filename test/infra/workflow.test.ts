import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { isProduction, stageOfBranch } from '../../infra/stage.ts';
import manifest from '../../package.json' with { type: 'json' };

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly environment?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
}

const text = readFileSync('.github/workflows/ci.yml', 'utf8');
const workflow = load(text) as {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};
const jobs = Object.entries(workflow.jobs);
const withToken = jobs.filter(([, { permissions }]) => permissions?.['id-token'] !== undefined);
const commands = jobs.flatMap(([, { steps }]) =>
  steps.flatMap(({ run }) => (run === undefined ? [] : [run])),
);

describe('the workflow', () => {
  test('runs commands that exist', () => {
    const scripts = commands.flatMap((command) =>
      [...command.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name),
    );
    expect(scripts.length).toBeGreaterThan(4);
    expect(scripts.filter((name) => !(String(name) in manifest.scripts))).toEqual([]);
  });

  test('proves the same as a machine that runs everything', () => {
    const everything = readFileSync('.ci/run', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('npm '));
    expect(everything.length).toBeGreaterThan(3);
    expect(everything.filter((command) => !commands.includes(command))).toEqual([]);
  });

  test.each(['deploy', 'deploy-production'])('%s deploys only what is proven', (name) => {
    expect(workflow.jobs[name]?.needs).toEqual(['check', 'test', 'deployed', 'assembly']);
    expect(workflow.jobs[name]?.if).toContain("github.event_name == 'push'");
  });

  test('lets only the jobs that deploy and destroy take on a role', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(withToken.map(([name]) => name)).toEqual(['deploy', 'deploy-production', 'destroy']);
    const taking = jobs.filter(([, { steps }]) => JSON.stringify(steps).includes('role-to-assume'));
    expect(taking).toEqual(withToken);
  });

  test('installs and builds nothing where a token of the cloud can be had', () => {
    for (const [name, { steps }] of withToken) {
      const run = steps.flatMap((step) => step.run ?? []).join('\n');
      expect(run, name).not.toMatch(/\b(npm|npx|yarn|pnpm|pip|curl|wget|apt)\b/);
      // What is cached was installed: by any branch.
      expect(JSON.stringify(steps), name).not.toMatch(/"cache":|actions\/cache/);
    }
  });

  test.each(['deploy', 'deploy-production'])(
    '%s deploys what was built without a token, as it was built',
    (name) => {
      const [download, ...others] = workflow.jobs[name]?.steps ?? [];
      expect(download).toMatchObject({
        uses: expect.stringMatching(/^actions\/download-artifact@/),
        with: { name: 'assembly' },
      });
      // Nothing but this is on the machine: the repository is not.
      expect(others.map(({ uses }) => uses?.split('@')[0])).toEqual([
        'aws-actions/configure-aws-credentials',
        undefined,
      ]);
      expect(others.at(-1)?.run).toMatch(
        /^node node_modules\/aws-cdk\/bin\/cdk deploy "\$STACK" --app cdk\.out /,
      );
      const { steps = [], permissions } = workflow.jobs.assembly ?? {};
      expect(permissions).toBeUndefined();
      const kept = steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
      expect(kept?.with).toMatchObject({ name: 'assembly', path: 'cdk.out\nnode_modules/aws-cdk\n' });
      expect(steps.flatMap(({ run }) => run ?? [])).toEqual([
        'npm ci',
        expect.stringContaining('name-stage'),
        'npm run synth',
      ]);
    },
  );

  test('the CDK that deploys needs no other package', () => {
    const { dependencies = {} } = JSON.parse(readFileSync('node_modules/aws-cdk/package.json', 'utf8'));
    expect(dependencies).toEqual({});
  });

  test('deploys production from its own branch, in its protected environment, with a role of its own, and nowhere else', () => {
    const [name, ...others] = jobs
      .filter(([, job]) => JSON.stringify(job).includes('AWS_ROLE_PRODUCTION'))
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

  test('neither deploys nor removes what is production with the role of the test stages', () => {
    for (const stage of ['production', 'prod']) {
      expect(isProduction(stage)).toBe(true);
      expect(workflow.jobs.deploy?.if).toContain(`needs.assembly.outputs.stage != '${stage}'`);
      expect(workflow.jobs.destroy?.if).toContain(`github.event.ref != '${stage}'`);
    }
  });

  test('runs actions of others as they were when they were looked at: by commit, with the release beside it', () => {
    const lines = text.split('\n').filter((line) => /\buses:/.test(line));
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => !/uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
    const pinned = lines.map((line) => /uses: (.+)@(\S+) # (.+)$/.exec(line)?.slice(1) ?? []);
    // One release of each, everywhere.
    expect(new Set(pinned.map(String)).size).toBe(new Set(pinned.map(([action]) => action)).size);
  });

  test('runs no text that somebody else has written', () => {
    // A branch's name in a command would be run with it.
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });

  test('ends every job in time', () => {
    expect(jobs.filter(([, job]) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});
