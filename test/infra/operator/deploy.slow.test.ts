// @module-tag nightly
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { NO_STACK, runAdmin, SIGNED_IN, stacks, startCloudFormation } from './fake-cloud.ts';

const dirs: string[] = [];
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true }))));

/** A template with a function that reserves so many runs, and so many roles. */
function templateOf(reserved: number, roles: number) {
  const ofRoles = Array.from({ length: roles }, (_, index) => [`Role${index}`, { Type: 'AWS::IAM::Role' }]);
  return {
    Resources: {
      Worker: { Type: 'AWS::Lambda::Function', Properties: { ReservedConcurrentExecutions: reserved } },
      ...Object.fromEntries(ofRoles),
    },
  };
}

/** Deploys what was built, as far as the first call of CDK, which AWS refuses here. */
async function deployBuilt(built: object, account: Parameters<typeof startCloudFormation>[1]) {
  const dir = await mkdtemp(path.join(tmpdir(), 'payments-built-'));
  dirs.push(dir);
  await writeFile(path.join(dir, 'payments-x.template.json'), JSON.stringify(built));
  const { endpoint } = await startCloudFormation(stacks({ name: 'payments-x' }), account);
  return runAdmin(['deploy', '--stage', 'x', '--app', dir], { ...SIGNED_IN, AWS_ENDPOINT_URL: endpoint });
}

describe.concurrent('a deployment is refused before it begins', () => {
  test('where the account has no room for the runs that the stage reserves', async () => {
    const account = { template: templateOf(10, 0), unreserved: 150, roles: 1 };
    const { code, stderr } = await deployBuilt(templateOf(300, 0), account);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'This stage reserves 290 more concurrent runs of functions, and 100 have to stay unreserved: of 1000, the account has 150 left. Request 1240 from AWS (Service Quotas, AWS Lambda, Concurrent executions).\n',
    });
  });

  test('where the account has no room for its roles', async () => {
    const account = { template: templateOf(0, 1), unreserved: 900, roles: 990 };
    const { code, stderr } = await deployBuilt(templateOf(0, 19), account);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^This stage takes 18 more roles, and the account has 990 of 1000\. Remove stages/,
      ),
    ]);
  });

  test('but not by a stage that takes no more than it has, in an account that is full', async () => {
    const account = { template: templateOf(300, 19), unreserved: 100, roles: 1_000 };
    const { stdout, stderr } = await deployBuilt(templateOf(300, 19), account);
    expect(stdout).toContain('No resource changes.');
    // Of the next call, after every check.
    expect(stderr).toMatch(/^These AWS credentials lack a permission: /);
  });

  test('but not where these credentials may not ask, and then it says so', async () => {
    const { stdout, stderr } = await deployBuilt(templateOf(300, 19), {});
    expect(stdout).toContain('Not checked: whether the account has the concurrency');
    expect(stdout).toContain('Not checked: whether the account has room for the roles');
    expect(stderr).toMatch(/^These AWS credentials lack a permission: /);
  });
});

test('a deployment shows first what it changes: how many of which type, and what it removes', async () => {
  const before = { Resources: { ...templateOf(1, 2).Resources, Gone: { Type: 'AWS::SQS::Queue' } } };
  const { stdout } = await deployBuilt(templateOf(2, 4), { template: before, unreserved: 900, roles: 1 });
  expect(stdout).toBe(`Deploying stage "x" as payments-x.
What changes:
  new: 2 AWS::IAM::Role
  changed: 1 AWS::Lambda::Function
  removed: 1 AWS::SQS::Queue
    AWS::SQS::Queue Gone
`);
});

describe.concurrent('a target that stands in for AWS', () => {
  test.each([['deploy'], ['destroy'], ['stages']])(
    'is refused by %s where nothing responds',
    async (command) => {
      const stage = command === 'stages' ? [] : ['--stage', 'x'];
      const { code, stdout, stderr } = await runAdmin(
        [command, ...stage, '--target', 'http://127.0.0.1:9'],
        {},
      );
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'Nothing that stands in for AWS responds at http://127.0.0.1:9. Start LocalStack or MiniStack: infra/ci-localstack.md says how.\n',
      });
    },
  );

  test('is not AWS itself', async () => {
    const aws = 'https://cloudformation.us-east-1.amazonaws.com';
    const { code, stderr } = await runAdmin(['stages', '--target', aws], SIGNED_IN);
    expect([code, stderr]).toEqual([1, `${aws} is AWS itself, which takes no --target: leave it out.\n`]);
  });

  test('needs no settings of AWS, and takes the place of those for a single service', async () => {
    const { endpoint } = await startCloudFormation(stacks());
    const { endpoint: other, actions } = await startCloudFormation(NO_STACK);
    const env = { AWS_ENDPOINT_URL: other, AWS_ENDPOINT_URL_CLOUDFORMATION: other };
    const { code, stdout } = await runAdmin(['stages', '--target', endpoint], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'No stage is deployed here.\n' });
    expect(actions).toEqual([]);
  });

  test('gets no stage that was built for another address', async () => {
    const args = ['deploy', '--stage', 'x', '--app', 'cdk.out', '--target', 'http://127.0.0.1:9'];
    const { code, stderr } = await runAdmin(args, {});
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^--app deploys what was built for another address/),
    ]);
  });
});

test('production gets no end', async () => {
  const { code, stderr } = await runAdmin(['deploy', '--stage', 'production', '--ttl', '7d'], SIGNED_IN);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Production has no end: /)]);
});
