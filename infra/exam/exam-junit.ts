import type { ExamFailure, ExamReport, ExamResult } from '../../shared/contract/testkit/exam-report.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { junitXml, type TestReport } from '../terminal/junit.ts';
import { failureLines } from './exam-lines.ts';
import { resultGroups } from './result-groups.ts';

/** The report of an exam as JUnit XML: one test for each question. */
export function examJunit(report: ExamReport): string {
  const { seed, base_url: service, receiver, questions } = report;
  const tests = resultGroups(questions).flatMap(({ title, results }) =>
    results.map((result) => testReportOf(title, result)),
  );
  return junitXml('exam', tests, { seed: String(seed), service, receiver });
}

function testReportOf(group: string, result: ExamResult): TestReport {
  const { id, title, duration_ms: tookMs, failure, reason } = result;
  return {
    group,
    name: `${id}: ${title}`,
    file: null,
    seconds: tookMs / SECOND_MS,
    failure: failure && failureText(result, failure),
    skipped: reason,
  };
}

/** One cause is told once. */
function failureText(result: ExamResult, failure: ExamFailure): string {
  const what = `expected ${failure.expected}, but ${failure.actual}`;
  return failure.same_as === null
    ? [what, ...failureLines(result, failure)].join('\n')
    : `for the same reason as ${failure.same_as}: ${what}`;
}
