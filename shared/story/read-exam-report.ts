import type { ExamFailure, ExamReport, ExamResult, Verdict } from '../contract/testkit/exam-report.ts';

/*
 * A file that somebody opens may be anything. The page holds no schema, which would weigh more than the page: this checks
 * what is shown, and a test holds it to the schema of the report.
 */

type FieldCheck = (value: unknown) => boolean;
/** The fields that are shown, each with its check. */
type FieldChecks<Shown> = { readonly [Field in keyof Shown]: FieldCheck };

const isText: FieldCheck = (value) => typeof value === 'string';
const isTextOrNull: FieldCheck = (value) => value === null || isText(value);
const isCount: FieldCheck = (value) => Number.isInteger(value);
const isCountOrNull: FieldCheck = (value) => value === null || isCount(value);
const isListOf = (isItem: FieldCheck) => (value: unknown) => Array.isArray(value) && value.every(isItem);
const VERDICT_NAMES = { passed: true, failed: true, skipped: true } satisfies Record<Verdict, true>;

function has<Shown>(checks: FieldChecks<Shown>): FieldCheck {
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<FieldCheck>(checks).every(([field, check]) => check(Reflect.get(value, field)));
}

const isFailure = has<Omit<ExamFailure, 'events' | 'is_shortest'>>({
  expected: isText,
  actual: isText,
  advice: isTextOrNull,
  same_as: isTextOrNull,
  story: isListOf(isText),
  failed_step: isCountOrNull,
  again: isText,
});
const isResult = has<Omit<ExamResult, 'guide' | 'duration_ms'>>({
  id: (value) => typeof value === 'string' && /^[A-Z]{3}-\d{2}$/.test(value),
  title: isText,
  must: isText,
  why: isText,
  verdict: (value) => typeof value === 'string' && Object.hasOwn(VERDICT_NAMES, value),
  reason: isTextOrNull,
  failure: (value) => value === null || isFailure(value),
});
const isReport = has<Pick<ExamReport, 'seed' | 'started_at' | 'receiver' | 'questions'>>({
  seed: isCount,
  started_at: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  receiver: isText,
  questions: isListOf(isResult),
});

export type OpenedReport = ExamReport;

/** What is shown of a report; null for a text that is no report. */
export function readExamReport(text: string): OpenedReport | null {
  try {
    const report: unknown = JSON.parse(text);
    return isReport(report) ? (report as OpenedReport) : null;
  } catch {
    return null;
  }
}
