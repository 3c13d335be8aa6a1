import { execFileSync } from 'node:child_process';

/** What pipelines call the branch that they run for: GitHub's of a pull request, of a push, and GitLab's. */
const BRANCH_VARIABLES = ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME', 'CI_COMMIT_REF_NAME'];

/** The branch that is checked out, or that a pipeline runs for; null where there is none. */
export function currentBranch(): string | null {
  const named = BRANCH_VARIABLES.map((name) => process.env[name]).find((each) => each);
  const branch = named ?? runGit('rev-parse', '--abbrev-ref', 'HEAD');
  return branch === 'HEAD' ? null : branch;
}

/**
 * The branches that are still there: those of the remote, and those that were never pushed.
 * @throws Error where the remote does not answer, or has no branch at all: every branch would seem to be gone
 */
export function existingBranches(): ReadonlySet<string> {
  const local = runGit('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads');
  const [remote] = (runGit('remote') ?? '').split('\n').filter((name) => name !== '');
  const listed = remote === undefined ? '' : runGit('ls-remote', '--heads', remote);
  const isEmpty = remote !== undefined && listed === '';
  if (local === null || listed === null || isEmpty) {
    throw new Error(
      'git does not say which branches there are: run this in a clone that reaches its remote. Nothing was done.',
    );
  }
  const pushed = listed.split('\n').map((line) => line.split('refs/heads/')[1] ?? '');
  return new Set([...local.split('\n'), ...pushed].filter((name) => name !== ''));
}

/** @returns null where git fails */
export function runGit(...args: string[]): string | null {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}
