import { styleText } from 'node:util';
import type {
  ExamFailure,
  ExamReport,
  ExamResult,
  SentEvent,
  Verdict,
} from '../../shared/contract/testkit/exam-report.ts';
import { SECOND_MS } from '../../shared/domain/clock.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { countsText, meaningOf, responseText, sendingText } from './exam-words.ts';

/* The report of an exam for a terminal, without control characters of the shop, which could steer the terminal. */

const COLOURS = { passed: 'green', failed: 'red', skipped: 'yellow' } as const satisfies Readonly<
  Record<Verdict, string>
>;
/** A longer command is in the other reports alone. */
const CURL_MAX_CHARS = 4_000;
const VERDICT_CHARS = Math.max(...Object.keys(COLOURS).map((verdict) => verdict.length));

/** One line for a question; of a failed one also what failed. */
export function resultLines(result: ExamResult): string[] {
  const { id, verdict, title, reason, failure, duration_ms: tookMs } = result;
  const after = reason ?? (failure?.same_as ? `as ${failure.same_as}` : `${tookMs} ms`);
  const shown = styleText(COLOURS[verdict], verdict.padEnd(VERDICT_CHARS));
  const line = `${cleanText(id)}  ${shown}  ${cleanText(`${title} (${after})`)}`;
  // One cause is told once.
  return failure === null || failure.same_as !== null ? [line] : [line, ...failureLines(result, failure), ''];
}

/** How many passed, what it means, and each cause with the questions that failed for it. */
export function summaryLines(report: ExamReport): string[] {
  const { failed, seed, duration_ms: tookMs, causes } = report;
  const colour = failed > 0 ? COLOURS.failed : report.skipped > 0 ? COLOURS.skipped : COLOURS.passed;
  return [
    styleText(colour, `${countsText(report)} (seed ${seed}, ${(tookMs / SECOND_MS).toFixed(1)} s)`),
    meaningOf(report),
    ...causes.flatMap(({ questions, actual, advice }) => [
      cleanText(`Failed: ${questions.join(', ')}`),
      `  ${cleanText(advice ?? actual)}`,
    ]),
  ];
}

/** Why a question failed, without colours. */
export function failureLines({ must, why, guide }: ExamResult, failure: ExamFailure): string[] {
  return [
    ...fieldLines('must', must),
    ...fieldLines('why', why),
    ...failedStoryLines(failure),
    ...fieldLines('guide', guide),
  ];
}

/** What a shop did in the story that it failed, without colours. */
export function failedStoryLines(failure: ExamFailure): string[] {
  const { expected, actual, advice, story, events, again } = failure;
  const { is_shortest: isShortest, failed_step: failedStep } = failure;
  const last = events.at(-1);
  return [
    ...fieldLines('expected', expected),
    ...fieldLines('was', actual),
    ...(advice === null ? [] : fieldLines('look at', advice)),
    ...listLines(isShortest ? 'steps, the shortest that fail' : 'steps', story, failedStep),
    ...listLines('sent', events.map(sentText)),
    ...(last === undefined || last.curl.length > CURL_MAX_CHARS ? [] : fieldLines('curl', last.curl)),
    ...fieldLines('again', again),
  ];
}

/** `payment.succeeded evt_…, attempt 2: answered 500` */
function sentText(event: SentEvent): string {
  const named = [`${event.type} ${event.event_id}`, sendingText(event)].filter((text) => text !== '');
  return `${named.join(', ')}: ${responseText(event)}`;
}

function fieldLines(name: string, text: string): string[] {
  return [`  ${`${name}:`.padEnd('expected: '.length)}${cleanText(text)}`];
}

/** A list under its name. @param marked the number of the line that is pointed at */
export function listLines(name: string, texts: readonly string[], marked: number | null = null): string[] {
  const lines = texts.map((text, index) => {
    const number = index + 1;
    return `${number === marked ? '→ ' : '  '}${String(number).padStart(4)}  ${cleanText(text)}`;
  });
  return lines.length === 0 ? [] : [`  ${name}:`, ...lines];
}
