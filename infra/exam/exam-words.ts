import type { ExamReport, SentEvent } from '../../shared/contract/testkit/exam-report.ts';

/* What every form of the report says in the same words: terminal, HTML, Markdown and JUnit XML. */

/** `40 of 48 questions passed, 2 failed, 6 skipped` */
export function countsText({ passed, failed, skipped, questions }: ExamReport): string {
  const others = [failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean);
  const noun = questions.length === 1 ? 'question' : 'questions';
  return [`${passed} of ${questions.length} ${noun} passed`, ...others].join(', ');
}

/** What the counts mean for the decision to go live. Skipped questions prove nothing. */
export function meaningOf({ passed, failed, skipped, questions }: ExamReport): string {
  if (questions.length === 0) {
    return 'No question was asked: this report proves nothing.';
  }
  if (failed > 0) {
    return 'The shop is not ready. Each failed question says what it costs.';
  }
  if (skipped > 0) {
    const open = skipped === 1 ? 'One question was skipped' : `${skipped} questions were skipped`;
    return `Nothing failed. ${open}, and what ${skipped === 1 ? 'it asks' : 'they ask'} is not proven.`;
  }
  return passed === 1 ? 'The question that was asked passed.' : 'Every question that was asked passed.';
}

/** How an event was sent: `signed by another secret, attempt 2`; empty where it was sent plainly, and once. */
export function sendingText({ manner, attempt }: SentEvent): string {
  // A question that sends a second attempt says so itself.
  const number = attempt > 1 ? `attempt ${attempt}` : null;
  return [...new Set([manner, number])].filter((text) => text !== null).join(', ');
}

/** `answered 500`, or why there was no response. */
export function responseText({ answered_status: status, error }: SentEvent): string {
  return status === null ? noAnswerText(error) : `answered ${status}`;
}

/** `no answer: connection lost`. @param reason which may say itself that there was no answer */
export function noAnswerText(reason: string | null): string {
  if (reason === null) {
    return 'no answer';
  }
  return reason.startsWith('no answer') ? reason : `no answer: ${reason}`;
}
