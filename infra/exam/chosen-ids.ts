import type { QuestionId } from '../../shared/contract/testkit/exam-questions.ts';
import { withNearest } from '../scenario/explain-issues.ts';
import { UsageError } from '../terminal/command.ts';
import { QUESTION_IDS } from './run-exam.ts';

/**
 * The questions that are asked for, in the order of the exam: `DUP` stands for all of its group.
 * @param asked ids, or beginnings of ids, in upper or lower case
 * @param name what gives them, for the message: `--only`
 * @throws UsageError for an id or a beginning that no question has
 */
export function chosenIds(asked: readonly string[], name: string): readonly QuestionId[] {
  const beginnings = asked.map((each) => each.trim().toUpperCase());
  const unknown = beginnings.find((each) => !QUESTION_IDS.some((id) => id.startsWith(each)));
  if (unknown !== undefined || beginnings.includes('')) {
    throw new UsageError(
      withNearest(`${name}: there is no question ${unknown ?? ''}`, unknown ?? '', QUESTION_IDS),
    );
  }
  return QUESTION_IDS.filter((id) => beginnings.some((each) => id.startsWith(each)));
}
