import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { resultLines, summaryLines } from '../../../infra/exam/exam-lines.ts';
import type { QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';
import type { ExamReport, ExamResult } from '../../../shared/contract/testkit/exam-report.ts';
import {
  FAILED,
  PASSED,
  SKIPPED,
  sampleEvent,
  sampleFailure,
  sampleReport,
  sampleResult,
} from './sample-report.ts';

const linesOf = (result: ExamResult) => resultLines(result).map(stripVTControlCharacters);
const summaryOf = (report: ExamReport) => summaryLines(report).map(stripVTControlCharacters);

describe('the lines of a question', () => {
  test('are one where it passed, with how long it took', () => {
    expect(linesOf(PASSED)).toEqual([
      'PAY-01  passed   A payment that succeeds pays its order once (120 ms)',
    ]);
  });

  test('are one where it was skipped, with why', () => {
    expect(linesOf(SKIPPED)).toEqual([
      'DUP-01  skipped  The same event later is the same event (it needs --order and --probe)',
    ]);
  });

  test('explain a failed one: what a shop must do, what it did, what was sent, and the command', () => {
    expect(linesOf(FAILED)).toEqual([
      'DUP-02  failed   The same event five times at once counts once (120 ms)',
      `  must:     ${FAILED.must}`,
      `  why:      ${FAILED.why}`,
      '  expected: the goods to go out once',
      '  was:      they went out twice',
      '  steps, the shortest that fail:',
      '     1  order a as a',
      '     2  send payment.succeeded, of $a',
      '→    3  probe $a',
      '  sent:',
      '     1  payment.succeeded evt_01: answered 200',
      '     2  payment.succeeded evt_01, five times at once: answered 500',
      `  curl:     curl -sS -i -H 'webhook-id: evt_01' --data-raw '{"id":"evt_01"}' http://127.0.0.1:3000/webhooks`,
      '  again:    pg exam --receiver http://127.0.0.1:3000/webhooks --only DUP-02 --seed 7',
      '  guide:    http://127.0.0.1:4000/docs/exam#dup-02',
      '',
    ]);
  });

  test.each([
    [sampleEvent({ attempt: 3 }), 'payment.succeeded evt_01, attempt 3: answered 200'],
    [sampleEvent({ attempt: 2, manner: 'attempt 2' }), 'payment.succeeded evt_01, attempt 2: answered 200'],
    [
      sampleEvent({ answered_status: null, error: 'ECONNREFUSED' }),
      'payment.succeeded evt_01: no answer: ECONNREFUSED',
    ],
    [
      sampleEvent({ answered_status: null, error: 'no answer within 15 s' }),
      'payment.succeeded evt_01: no answer within 15 s',
    ],
    [sampleEvent({ answered_status: null }), 'payment.succeeded evt_01: no answer'],
  ])('say how an event was sent, and what the shop answered: %#', (event, line) => {
    const failure = sampleFailure({ events: [event] });
    expect(linesOf({ ...FAILED, failure })).toContain(`     1  ${line}`);
  });

  test('name no shortest steps where shorter ones were not all tried', () => {
    const failure = sampleFailure({ is_shortest: false });
    expect(linesOf({ ...FAILED, failure })).toContain('  steps:');
  });

  test('hold no control character of a shop, which could steer the terminal', () => {
    const evil = '\u001b[2Jgone\u202e\nPAY-01  passed\u0007';
    const failure = sampleFailure({
      expected: evil,
      actual: evil,
      story: [evil],
      again: evil,
      events: [sampleEvent({ type: evil, event_id: evil, manner: evil, answered_status: null, error: evil })],
    });
    const lines = linesOf(sampleResult('SIG-01', { verdict: 'failed', reason: evil, failure, guide: evil }));
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(lines.filter((line) => line.startsWith('PAY-01'))).toEqual([]);
  });
});

describe('the lines of an exam', () => {
  test('say how many passed, the seed, what it means, and each cause once', () => {
    const advice = 'does the shop verify the signature?';
    const same = (id: QuestionId, same_as: string | null) =>
      sampleResult(id, { verdict: 'failed', failure: sampleFailure({ same_as, advice }) });
    const failed = [same('SIG-01', null), FAILED, same('SIG-02', 'SIG-01'), same('SIG-05', 'SIG-01')];
    expect(summaryOf(sampleReport([PASSED, SKIPPED, ...failed]))).toEqual([
      '1 of 6 questions passed, 4 failed, 1 skipped (seed 7, 1.2 s)',
      'The shop is not ready. Each failed question says what it costs.',
      'Failed: SIG-01, SIG-02, SIG-05',
      '  does the shop verify the signature?',
      'Failed: DUP-02',
      '  they went out twice',
    ]);
  });

  test('say of an exam without failures what is not proven', () => {
    expect(summaryOf(sampleReport([PASSED, SKIPPED, SKIPPED]))).toEqual([
      '1 of 3 questions passed, 2 skipped (seed 7, 1.2 s)',
      'Nothing failed. 2 questions were skipped, and what they ask is not proven.',
    ]);
  });
});
