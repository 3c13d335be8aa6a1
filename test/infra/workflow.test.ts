import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

interface Step {
  readonly run?: string;
  readonly uses?: string;
}

interface Job {
  readonly steps: readonly Step[];
  readonly needs?: readonly string[];
  readonly if?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>>;
}

const workflow = load(readFileSync('.github/workflows/ci.yml', 'utf8')) as {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};
const jobs = Object.entries(workflow.jobs);
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

  test('deploys only what is proven', () => {
    expect(workflow.jobs.deploy?.needs).toEqual(['check', 'test', 'deployed']);
    expect(workflow.jobs.deploy?.if).toContain("github.event_name == 'push'");
  });

  test('lets only the jobs that deploy and destroy take on a role', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    const mayTakeRoles = jobs.filter(([, { permissions }]) => permissions?.['id-token'] !== undefined);
    expect(mayTakeRoles.map(([name]) => name)).toEqual(['deploy', 'destroy']);
  });

  test('runs no text that somebody else has written', () => {
    // A branch's name in a command would be run with it.
    expect(commands.filter((command) => command.includes('${{'))).toEqual([]);
  });

  test('ends every job in time', () => {
    expect(jobs.filter(([, job]) => job['timeout-minutes'] === undefined)).toEqual([]);
  });
});
