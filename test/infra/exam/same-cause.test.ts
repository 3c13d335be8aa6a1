import { describe, expect, test } from 'vitest';
import { cancel, type ExamStep, order, pay, ping, probe, send } from '../../../infra/exam/acts.ts';
import { hasSameCause, isPartOf } from '../../../infra/exam/same-cause.ts';
import type { Finding } from '../../../infra/exam/shop-failure.ts';
import { STORIES } from '../../../infra/exam/stories.ts';
import { PING } from '../../../shared/contract/events.ts';
import type { QuestionId } from '../../../shared/contract/testkit/exam-questions.ts';

const IDS = Object.keys(STORIES) as QuestionId[];
const stepsOf = (id: QuestionId) => STORIES[id].steps(1, 'exam');
const PAID_TWICE = [
  order('a'),
  pay('$a'),
  send('payment.succeeded', '$a'),
  send('payment.succeeded', '$a'),
  probe('$a'),
];

describe('a failure explains another one', () => {
  test.each<[QuestionId, QuestionId]>([
    ['DUP-01', 'DUP-05'],
    ['SIG-01', 'SIG-02'],
    ['SIG-03', 'SIG-04'],
    ['REF-01', 'REF-02'],
    ['REF-01', 'REF-05'],
  ])('%s that of %s, which does the same and more', (known, other) => {
    expect(isPartOf(stepsOf(known), stepsOf(other))).toBe(true);
  });

  test.each<[QuestionId, QuestionId]>([
    ['PAY-04', 'PAY-05'],
    ['SIG-03', 'SIG-01'],
    ['REF-02', 'REF-01'],
    ['FWD-02', 'FWD-03'],
  ])('%s not that of %s, which is about something else', (known, other) => {
    expect(isPartOf(stepsOf(known), stepsOf(other))).toBe(false);
  });

  test('where the same resources do the same: two payments are not one event that comes twice', () => {
    expect(IDS.filter((id) => isPartOf(PAID_TWICE, stepsOf(id)))).toEqual(
      expect.arrayContaining(['DUP-01', 'DUP-02', 'DUP-03', 'DUP-05']),
    );
    expect(isPartOf(PAID_TWICE, stepsOf('PAY-08'))).toBe(false);
    expect(isPartOf(PAID_TWICE, stepsOf('PAY-01'))).toBe(false);
  });

  test('where the shop did the same, and not where it did something else in the same story', () => {
    const steps = stepsOf('PAY-01');
    const unpaid: Finding = { at: 'probe', field: 'paid', isTooMuch: false };
    const unsent: Finding = { at: 'probe', field: 'fulfilled', isTooMuch: false };
    expect(hasSameCause({ finding: unpaid, steps }, { finding: { ...unpaid }, steps })).toBe(true);
    expect(hasSameCause({ finding: unpaid, steps }, { finding: unsent, steps })).toBe(false);
  });

  test('where the receiver refuses everything alike, whatever the event is', () => {
    const refused = (type: string, status: number | null): Finding => ({
      at: 'response',
      must: 'accept',
      type,
      status,
    });
    const other = (status: number | null) => ({
      finding: refused('payment.succeeded', status),
      steps: stepsOf('ORD-02'),
    });
    const creation = [order('a'), send('payment.created', '$a')];
    const failure = [order('a'), send('payment.failed', '$a')];
    const knownBy = (type: string, status: number | null, steps: readonly ExamStep[]) =>
      hasSameCause({ finding: refused(type, status), steps }, other(status));
    expect(knownBy('payment.created', 500, creation)).toBe(true);
    expect(knownBy('payment.created', null, creation)).toBe(true);
    expect(knownBy('payment.failed', 403, failure)).toBe(true);
    expect(knownBy('payment.failed', 500, failure)).toBe(false);
    expect(knownBy('payment.succeeded', 500, [order('a'), pay('$a'), send('payment.succeeded', '$a')])).toBe(
      true,
    );
    expect(
      knownBy('payment.succeeded', 400, [order('a'), cancel('$a'), send('payment.succeeded', '$a')]),
    ).toBe(false);
    expect(knownBy(PING, 400, [ping('otherBytes')])).toBe(false);
  });
});
