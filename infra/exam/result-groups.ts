import { EXAM_GROUPS } from '../../shared/contract/testkit/exam-questions.ts';
import type { ExamCause, ExamResult } from '../../shared/contract/testkit/exam-report.ts';

/** The results of questions about one thing. */
export interface ResultGroup {
  readonly id: string;
  readonly title: string;
  readonly results: readonly ExamResult[];
}

/** Results by their groups, in the order in which the groups come first. A group without results is left out. */
export function resultGroups(results: readonly ExamResult[]): ResultGroup[] {
  const titles: Readonly<Record<string, string>> = EXAM_GROUPS;
  const byGroup = Map.groupBy(results, ({ id }) => id.replace(/-.*/, ''));
  // A report of a later version may have groups that this one does not know.
  return [...byGroup].map(([id, inGroup]) => ({ id, title: titles[id] ?? id, results: inGroup }));
}

/** Why questions failed, each cause once, in the order in which they came. */
export function causesOf(results: readonly ExamResult[]): ExamCause[] {
  const failed = results.flatMap(({ id, failure }) => (failure === null ? [] : [{ id, failure }]));
  const byFirst = Map.groupBy(failed, ({ id, failure }) => failure.same_as ?? id);
  return [...byFirst].map(([first, same]) => {
    const { actual = '', advice = null } = failed.find(({ id }) => id === first)?.failure ?? {};
    return { questions: same.map(({ id }) => id), actual, advice };
  });
}
