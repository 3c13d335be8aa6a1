import type { ExamCause, ExamReport } from '../../shared/contract/testkit/exam-report.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { markdownCode } from '../terminal/markdown-code.ts';
import { countsText, meaningOf } from './exam-words.ts';

/** The verdict of an exam in Markdown, for a comment on a pull request or the summary of a job. */
export function examMarkdown(report: ExamReport): string {
  const { receiver, seed, causes } = report;
  return [
    `### Exam: ${countsText(report)}`,
    '',
    meaningOf(report),
    ...(causes.length === 0 ? [] : ['', ...causes.flatMap(causeLines)]),
    '',
    `${markdownCode(receiver)}, seed ${seed}`,
    '',
  ].join('\n');
}

function causeLines({ questions, actual, advice }: ExamCause): string[] {
  return [
    `- **${questions.map(cleanText).join(', ')}**: ${markdownCode(actual)}`,
    ...(advice === null ? [] : [`  Look at: ${markdownCode(advice)}`]),
  ];
}
