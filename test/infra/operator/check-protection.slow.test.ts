import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const REPOSITORY = 'acme/payments';
const ENVIRONMENT = `/repos/${REPOSITORY}/environments/production`;
const BRANCHES = `${ENVIRONMENT}/deployment-branch-policies`;

const REVIEWERS = { type: 'required_reviewers', reviewers: [{ type: 'User', reviewer: { login: 'ann' } }] };
const BRANCH_RULE = { type: 'branch_policy' };
const WAIT = { type: 'wait_timer', wait_timer: 30 };
const CHOSEN_BRANCHES = { protected_branches: false, custom_branch_policies: true };
const PROTECTED = {
  protection_rules: [REVIEWERS, BRANCH_RULE],
  deployment_branch_policy: CHOSEN_BRANCHES,
};
const ONLY_PRODUCTION = [{ name: 'production', type: 'branch' }];

const ROLES = {
  AWS_ROLE: 'arn:aws:iam::111111111111:role/test-stages',
  AWS_ROLE_PRODUCTION: 'arn:aws:iam::222222222222:role/production',
};

/** What GitHub answers, by path: the edge of the world. What it has not is 404. */
async function startGitHub(answers: Readonly<Record<string, object>>) {
  const requested: (string | undefined)[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    requested.push(headers.authorization);
    const answer = answers[url.replace(/\?.*/, '')];
    response
      .writeHead(answer === undefined ? 404 : 200)
      .end(JSON.stringify(answer ?? { message: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Closed by its user: of tests that run at once, a hook may be that of another one.
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requested, close };
}

async function check(
  environment: object | null,
  branches: object[] = ONLY_PRODUCTION,
  variables: object = ROLES,
) {
  const { url, requested, close } = await startGitHub({
    ...(environment && { [ENVIRONMENT]: environment }),
    [BRANCHES]: { total_count: branches.length, branch_policies: branches },
  });
  const env = { GITHUB_API_URL: url, GITHUB_REPOSITORY: REPOSITORY, GITHUB_TOKEN: 'ghs_1', ...variables };
  const running = promisify(execFile)(process.execPath, ['infra/operator/check-protection.ts'], { env });
  const ended = await running
    .then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }) => ({ code, stderr }),
    )
    .finally(close);
  return { ...ended, requested };
}

describe.concurrent('before production is deployed', () => {
  test('GitHub says, to the token of the run, that its environment is protected', async () => {
    const { code, stderr, requested } = await check(PROTECTED);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(new Set(requested)).toEqual(new Set(['Bearer ghs_1']));
  });

  test.each<[string, object | null, object[], RegExp]>([
    [
      'there is no such environment',
      null,
      ONLY_PRODUCTION,
      /responded with 404 for the environment "production"/,
    ],
    [
      'it has no rule',
      { protection_rules: [], deployment_branch_policy: null },
      [],
      /has no required reviewers/,
    ],
    [
      'it only waits',
      { ...PROTECTED, protection_rules: [WAIT, BRANCH_RULE] },
      ONLY_PRODUCTION,
      /has no required reviewers/,
    ],
    [
      'nobody is named as reviewer',
      { ...PROTECTED, protection_rules: [{ ...REVIEWERS, reviewers: [] }, BRANCH_RULE] },
      ONLY_PRODUCTION,
      /has no required reviewers/,
    ],
    [
      'any branch may use it',
      { ...PROTECTED, deployment_branch_policy: null },
      [],
      /other branches than "production"/,
    ],
    [
      'every protected branch may use it',
      { ...PROTECTED, deployment_branch_policy: { protected_branches: true, custom_branch_policies: false } },
      [],
      /other branches than "production"/,
    ],
    [
      'another branch may, too',
      PROTECTED,
      [...ONLY_PRODUCTION, { name: 'release/*', type: 'branch' }],
      /other/,
    ],
    ['a tag may', PROTECTED, [{ name: 'production', type: 'tag' }], /other branches than "production"/],
  ])('it is refused where %s', async (_, environment, branches, said) => {
    const { code, stderr } = await check(environment, branches);
    expect(code).toBe(1);
    expect(stderr).toMatch(said);
    expect(stderr).not.toContain('ghs_1');
  });

  test('it is refused in an account that test stages are deployed in', async () => {
    const roles = { ...ROLES, AWS_ROLE: 'arn:aws:iam::222222222222:role/test-stages' };
    const { code, stderr } = await check(PROTECTED, ONLY_PRODUCTION, roles);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Production needs an AWS account of its own/);
  });

  test.each([
    ['the role of production is not set', { AWS_ROLE: ROLES.AWS_ROLE }, 'AWS_ROLE_PRODUCTION is not set.'],
    [
      'the role of production is empty',
      { ...ROLES, AWS_ROLE_PRODUCTION: '' },
      'AWS_ROLE_PRODUCTION is not set.',
    ],
    [
      'the role of production is no ARN',
      { ...ROLES, AWS_ROLE_PRODUCTION: 'production' },
      'AWS_ROLE_PRODUCTION takes the ARN of a role: arn:aws:iam::ACCOUNT:role/NAME.',
    ],
    [
      'the role of test stages is no ARN',
      { ...ROLES, AWS_ROLE: 'arn:aws:iam::role/test-stages' },
      'AWS_ROLE takes the ARN of a role: arn:aws:iam::ACCOUNT:role/NAME.',
    ],
    ['the token is not set', { ...ROLES, GITHUB_TOKEN: '' }, 'GITHUB_TOKEN is not set.'],
    ['the repository is not set', { ...ROLES, GITHUB_REPOSITORY: '' }, 'GITHUB_REPOSITORY is not set.'],
    ['the API is not set', { ...ROLES, GITHUB_API_URL: '' }, 'GITHUB_API_URL is not set.'],
  ])('it asks nothing where %s, and names the variable', async (_, variables, said) => {
    const { code, stderr, requested } = await check(PROTECTED, ONLY_PRODUCTION, variables);
    expect({ code, stderr, requested }).toEqual({ code: 1, stderr: `${said}\n`, requested: [] });
  });

  test('it needs no test stages', async () => {
    const roles = { AWS_ROLE: '', AWS_ROLE_PRODUCTION: ROLES.AWS_ROLE_PRODUCTION };
    expect((await check(PROTECTED, ONLY_PRODUCTION, roles)).code).toBe(0);
  });
});
