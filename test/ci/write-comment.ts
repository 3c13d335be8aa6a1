import { readFile } from 'node:fs/promises';
import { costsIn, reasonsIn } from '../bench/compare-costs.ts';
import { releasedFigures } from '../bench/released-figures.ts';
import { MARK, pullRequestComment } from './pull-request-comment.ts';

/*
 * For the pipeline: writes one comment on the pull request of a branch, or writes it anew. Does nothing where the branch
 * has none. Needs no installed package.
 *
 * GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_REF_NAME, GITHUB_SHA   what it is about
 * GITHUB_TOKEN                                                     may write "Pull requests"
 * BASE_URL, CONTRACT, TESTS                                        the stage's address, and what became of the jobs
 * FIGURES                                                          the file with what the bench printed
 */

const {
  GITHUB_API_URL,
  GITHUB_REPOSITORY,
  GITHUB_REF_NAME = '',
  GITHUB_SHA = '',
  GITHUB_TOKEN,
} = process.env;
const { BASE_URL, CONTRACT = '', TESTS = '', FIGURES = '' } = process.env;

/** @throws Error where GitHub refuses */
async function askGitHub<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/${path}`, {
    method,
    headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${GITHUB_TOKEN}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`GitHub responded with ${response.status} to ${method} ${path}`);
  }
  return (await response.json()) as Answer;
}

async function writeComment(): Promise<void> {
  const [owner = ''] = String(GITHUB_REPOSITORY).split('/');
  const head = encodeURIComponent(`${owner}:${GITHUB_REF_NAME}`);
  const [request] = await askGitHub<{ number: number }[]>('GET', `pulls?state=open&head=${head}`);
  if (request === undefined) {
    return console.log('The branch has no pull request.');
  }
  const printed = await readFile(FIGURES, 'utf8').catch(() => null);
  const body = pullRequestComment({
    commit: GITHUB_SHA,
    baseUrl: BASE_URL || null,
    verdicts: {
      'The contract over HTTP and the exam of a shop, on a stage': CONTRACT,
      'All other tests': TESTS,
    },
    released: costsIn(await releasedFigures('operations')),
    costs: printed === null ? null : costsIn(printed),
    reasons: reasonsIn(await readFile('test/bench/COSTS.md', 'utf8')),
  });
  const comments = `issues/${request.number}/comments`;
  const written = await askGitHub<{ id: number; body: string }[]>('GET', `${comments}?per_page=100`);
  const own = written.find((comment) => comment.body.startsWith(MARK));
  await (own === undefined
    ? askGitHub('POST', comments, { body })
    : askGitHub('PATCH', `issues/comments/${own.id}`, { body }));
}

await writeComment();
