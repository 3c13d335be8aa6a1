import {
  EXAM_GROUPS,
  EXAM_QUESTIONS,
  type ExamGroup,
  guideOf,
  type QuestionId,
  type QuestionWords,
} from '../contract/testkit/exam-questions.ts';

/** A question of the exam, as pages show it. */
interface ShownQuestion extends QuestionWords {
  readonly id: QuestionId;
  /** From the root of the service. */
  readonly guide: string;
}

/** The questions of the exam about one thing. */
export interface ShownQuestionGroup {
  readonly group: ExamGroup;
  readonly title: string;
  readonly questions: readonly ShownQuestion[];
}

/** Every question of the exam by its group, in the order of the exam. */
export function examGroups(): ShownQuestionGroup[] {
  const questions = (Object.keys(EXAM_QUESTIONS) as QuestionId[]).map((id) => ({
    id,
    guide: guideOf(id),
    ...EXAM_QUESTIONS[id],
  }));
  return (Object.keys(EXAM_GROUPS) as ExamGroup[]).map((group) => ({
    group,
    title: EXAM_GROUPS[group],
    questions: questions.filter(({ id }) => id.startsWith(`${group}-`)),
  }));
}
