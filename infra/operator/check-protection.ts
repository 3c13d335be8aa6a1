import { complain } from '../terminal/output.ts';

/*
 * For the pipeline: exits with 1 if production is not protected, and prints why. A job that names an environment runs
 * without approval if the environment has no rules, so the rules are checked. Needs no installed package.
 *
 * GITHUB_API_URL, GITHUB_REPOSITORY   the API and repository to check
 * GITHUB_TOKEN                        may read "Actions"
 * AWS_ROLE, AWS_ROLE_PRODUCTION       the roles that test stages and production are deployed with
 */

const ENVIRONMENT = 'production';
const BRANCH = 'production';

/** The fields of GitHub's response that are read. */
interface Environment {
  readonly protection_rules?: readonly { readonly type: string; readonly reviewers?: readonly unknown[] }[];
  readonly deployment_branch_policy?: { readonly custom_branch_policies: boolean } | null;
}
interface BranchPolicies {
  readonly branch_policies: readonly { readonly name: string; readonly type?: string }[];
}

const { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, AWS_ROLE, AWS_ROLE_PRODUCTION } = process.env;
const ROLE = /^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/;

/** @throws Error if GitHub refuses or does not respond */
async function getJson<Answer>(path: string): Promise<Answer> {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/environments/${path}`, {
    headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${GITHUB_TOKEN}` },
  });
  if (!response.ok) {
    throw new Error(
      `GitHub responded with ${response.status} for the environment "${ENVIRONMENT}": does it exist?`,
    );
  }
  return (await response.json()) as Answer;
}

/** Accounts can be compared, and the environment can be read. */
function findWrongVariables(): string[] {
  const needed = { GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_TOKEN, AWS_ROLE_PRODUCTION };
  const missing = Object.entries(needed).filter(([, given]) => !given);
  // Empty where there are no test stages.
  const roles = Object.entries({ AWS_ROLE, AWS_ROLE_PRODUCTION }).filter(([, given]) => given);
  const malformed = roles.filter(([, given]) => !ROLE.test(String(given)));
  return [
    ...missing.map(([name]) => `${name} is not set.`),
    ...malformed.map(([name]) => `${name} takes the ARN of a role: arn:aws:iam::ACCOUNT:role/NAME.`),
  ];
}

async function findFaults(): Promise<string[]> {
  const wrong = findWrongVariables();
  if (wrong.length > 0) {
    return wrong;
  }
  const { protection_rules = [], deployment_branch_policy } = await getJson<Environment>(ENVIRONMENT);
  const isApproved = protection_rules.some(
    ({ type, reviewers = [] }) => type === 'required_reviewers' && reviewers.length > 0,
  );
  return [
    ...(accountOf(AWS_ROLE) === accountOf(AWS_ROLE_PRODUCTION)
      ? [
          'Production needs an AWS account of its own: the role of the test stages can change every stack in their account.',
        ]
      : []),
    ...(isApproved ? [] : [`The environment "${ENVIRONMENT}" has no required reviewers: add them.`]),
    ...(deployment_branch_policy?.custom_branch_policies && (await isOfOneBranch())
      ? []
      : [`The environment "${ENVIRONMENT}" allows other branches than "${BRANCH}": allow only that branch.`]),
  ];
}

async function isOfOneBranch(): Promise<boolean> {
  const { branch_policies } = await getJson<BranchPolicies>(`${ENVIRONMENT}/deployment-branch-policies`);
  return (
    branch_policies.length === 1 &&
    branch_policies.every(({ name, type = 'branch' }) => name === BRANCH && type === 'branch')
  );
}

/** `arn:aws:iam::ACCOUNT:role/NAME` */
function accountOf(role = ''): string | undefined {
  return role.split(':')[4];
}

const faults = await findFaults().catch(({ message }: Error) => [message]);
for (const fault of faults) {
  complain(fault);
}
process.exitCode = faults.length > 0 ? 1 : 0;
