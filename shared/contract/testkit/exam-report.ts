import * as v from 'valibot';
import { timestamp } from '../fields.ts';

/*
 * The report of an exam (contract §19), as `pg exam --report` writes it. It says everything that the other reports show.
 */

/** What an exam says of a question. */
export const VERDICTS = ['passed', 'failed', 'skipped'] as const;
export type Verdict = (typeof VERDICTS)[number];

const QUESTION_ID = /^[A-Z]{3}-\d{2}$/;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const address = v.pipe(v.string(), v.url());

/** One request to the receiver, as it was sent. */
const sentEventSchema = v.strictObject({
  type: described(v.string(), 'The type of the event.'),
  event_id: described(v.string(), 'The id of the event; requests of one event have the same.'),
  manner: described(v.nullable(v.string()), 'How it was sent. Null if it was sent as the service sends it.'),
  attempt: described(v.pipe(v.number(), v.integer(), v.minValue(1)), 'Which attempt it was, from 1.'),
  answered_status: described(
    v.nullable(v.pipe(v.number(), v.integer())),
    'The HTTP status of the response. Null if there was none.',
  ),
  error: described(v.nullable(v.string()), 'Why there was no response. Null if there was one.'),
  headers: described(v.record(v.string(), v.string()), 'The headers of the request, by name.'),
  body: described(v.string(), 'The body of the request.'),
  curl: described(
    v.string(),
    'The command for bash and zsh that sends the same request again. Receivers accept it as long as the time of its signature.',
  ),
});
export type SentEvent = v.InferOutput<typeof sentEventSchema>;

const examFailureSchema = v.strictObject({
  expected: described(v.string(), 'What was expected of the shop.'),
  actual: described(v.string(), 'What the shop did.'),
  advice: described(
    v.nullable(v.string()),
    'What the developer of the shop looks at first. Null if unknown.',
  ),
  same_as: described(
    v.nullable(v.pipe(v.string(), v.regex(QUESTION_ID))),
    'The question that failed for the same reason before, and shows it. Null if none did.',
  ),
  story: described(v.array(v.string()), 'The steps that fail, one line each.'),
  failed_step: described(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    'The step at which the shop failed, from 1. Null if no steps are shown.',
  ),
  events: described(
    v.array(sentEventSchema),
    'The last requests of these steps, in the order of their responses.',
  ),
  is_shortest: described(v.boolean(), 'Whether the steps were shortened until none could be left out.'),
  again: described(v.string(), 'The command that asks this question again with the same seed.'),
});
export type ExamFailure = v.InferOutput<typeof examFailureSchema>;

const examResultSchema = v.strictObject({
  id: described(v.pipe(v.string(), v.regex(QUESTION_ID)), 'The id of the question, such as `DUP-02`.'),
  title: described(v.string(), 'The question in one line.'),
  must: described(v.string(), 'What a shop must do.'),
  why: described(v.string(), 'What it costs a shop to do otherwise.'),
  guide: described(address, 'The address of the guide to this question.'),
  verdict: described(v.picklist(VERDICTS), 'What the exam says of the shop.'),
  reason: described(v.nullable(v.string()), 'Why the question was skipped. Null if it was asked.'),
  failure: described(v.nullable(examFailureSchema), 'What failed. Null unless the verdict is `failed`.'),
  duration_ms: described(count, 'How long the question took, in milliseconds.'),
});
export type ExamResult = v.InferOutput<typeof examResultSchema>;

const examCauseSchema = v.strictObject({
  questions: described(
    v.array(v.pipe(v.string(), v.regex(QUESTION_ID))),
    'The questions that failed for this cause. The first one shows it.',
  ),
  actual: described(v.string(), 'What the shop did.'),
  advice: described(
    v.nullable(v.string()),
    'What the developer of the shop looks at first. Null if unknown.',
  ),
});
export type ExamCause = v.InferOutput<typeof examCauseSchema>;

export const examReportSchema = v.strictObject({
  seed: described(v.pipe(v.number(), v.integer()), 'The same seed makes the same exam.'),
  started_at: described(timestamp, 'Time at which the exam began.'),
  duration_ms: described(count, 'How long the exam took, in milliseconds.'),
  base_url: described(address, 'The address of the service.'),
  scheme: described(v.string(), 'The signature scheme of what was sent, such as `standardwebhooks`.'),
  receiver: described(address, 'The address that webhooks were sent to.'),
  order: described(v.nullable(address), 'The address that opens orders. Null if none was given.'),
  probe: described(
    v.nullable(address),
    'The address that says what became of an order. Null if none was given.',
  ),
  passed: described(count, 'Number of questions that passed.'),
  failed: described(count, 'Number of questions that failed.'),
  skipped: described(count, 'Number of questions that were not asked.'),
  causes: described(v.array(examCauseSchema), 'Why questions failed, each cause once.'),
  questions: described(v.array(examResultSchema), 'Every question, in the order of the exam.'),
});
export type ExamReport = v.InferOutput<typeof examReportSchema>;

/** Names in the JSON Schema for what it refers to. */
export const EXAM_DEFINITIONS = {
  ExamResult: examResultSchema,
  ExamFailure: examFailureSchema,
  ExamCause: examCauseSchema,
  SentEvent: sentEventSchema,
};

function described<const Schema extends v.GenericSchema>(schema: Schema, description: string) {
  return v.pipe(schema, v.description(description));
}
