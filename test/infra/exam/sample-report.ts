import { causesOf } from '../../../infra/exam/result-groups.ts';
import { EXAM_QUESTIONS, guideOf, type QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';
import type {
  ExamFailure,
  ExamReport,
  ExamResult,
  SentEvent,
} from '../../../shared/contract/testkit/exam-report.ts';

const SERVICE = 'http://127.0.0.1:4000';
const SHOP = 'http://127.0.0.1:3000';

export function sampleEvent(fields: Partial<SentEvent> = {}): SentEvent {
  return {
    type: 'payment.succeeded',
    event_id: 'evt_01',
    manner: null,
    attempt: 1,
    answered_status: 200,
    error: null,
    headers: { 'webhook-id': 'evt_01' },
    body: '{"id":"evt_01"}',
    curl: `curl -sS -i -H 'webhook-id: evt_01' --data-raw '{"id":"evt_01"}' ${SHOP}/webhooks`,
    ...fields,
  };
}

export function sampleFailure(fields: Partial<ExamFailure> = {}): ExamFailure {
  return {
    expected: 'the goods to go out once',
    actual: 'they went out twice',
    advice: null,
    same_as: null,
    story: ['order a as a', 'send payment.succeeded, of $a', 'probe $a'],
    events: [sampleEvent(), sampleEvent({ manner: 'five times at once', answered_status: 500 })],
    failed_step: 3,
    is_shortest: true,
    again: `pg exam --receiver ${SHOP}/webhooks --only DUP-02 --seed 7`,
    ...fields,
  };
}

export function sampleResult(id: QuestionId, fields: Partial<ExamResult> = {}): ExamResult {
  return {
    id,
    ...EXAM_QUESTIONS[id],
    guide: new URL(guideOf(id), SERVICE).href,
    verdict: 'passed',
    reason: null,
    failure: null,
    duration_ms: 120,
    ...fields,
  };
}

export const PASSED = sampleResult('PAY-01');
export const FAILED = sampleResult('DUP-02', { verdict: 'failed', failure: sampleFailure() });
export const SKIPPED = sampleResult('DUP-01', {
  verdict: 'skipped',
  reason: 'it needs --order and --probe',
  duration_ms: 0,
});

/** A report of these questions, whose counts are right. */
export function sampleReport(questions: readonly ExamResult[] = [PASSED, SKIPPED, FAILED]): ExamReport {
  const count = (wanted: string) => questions.filter(({ verdict }) => verdict === wanted).length;
  return {
    seed: 7,
    started_at: '2026-11-02T03:00:05.000Z',
    duration_ms: 1_234,
    base_url: SERVICE,
    scheme: 'standardwebhooks',
    receiver: `${SHOP}/webhooks`,
    order: `${SHOP}/orders`,
    probe: null,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    causes: causesOf(questions),
    questions: [...questions],
  };
}
