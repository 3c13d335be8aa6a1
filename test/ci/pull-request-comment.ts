import { type Costs, compareCosts } from '../bench/compare-costs.ts';

/** What a pipeline has found out about a commit. */
export interface CommitFacts {
  readonly commit: string;
  /** The address of its stage; null where none is deployed. */
  readonly baseUrl: string | null;
  /** What became of each job, in GitHub's words, by what it proves. */
  readonly verdicts: Readonly<Record<string, string>>;
  readonly released: Costs;
  /** Null where they were not measured. */
  readonly costs: Costs | null;
  readonly reasons: Costs;
}

/** By it, the comment is found again, so that a pull request has one. */
export const MARK = '<!-- payments: stage -->';
const WORDS: Readonly<Record<string, string>> = {
  success: 'passed',
  failure: '**failed**',
  cancelled: 'stopped',
  skipped: 'not run',
};

/** The comment on a pull request: where its stage is, what was proven, and what it costs beside the last release. */
export function pullRequestComment(facts: CommitFacts): string {
  const { commit, baseUrl, verdicts, released, costs, reasons } = facts;
  const place =
    baseUrl === null
      ? 'No stage is deployed for it.'
      : `Its stage: ${baseUrl} ([dashboard](${baseUrl}/console), [documentation](${baseUrl}/docs))`;
  const cost = costs && compareCosts(released, costs, reasons);
  return [
    MARK,
    `**${commit.slice(0, 8)}** ${place}`,
    '',
    '| Proven | |',
    '|---|---|',
    ...Object.entries(verdicts).map(([what, result]) => `| ${what} | ${WORDS[result] ?? 'not known'} |`),
    '',
    ...(cost === null ? ['What it costs was not measured.'] : cost.lines),
    ...(cost === null || cost.failures.length === 0 ? [] : ['', ...cost.failures.map((each) => `- ${each}`)]),
    '',
  ].join('\n');
}
