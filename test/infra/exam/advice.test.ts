import { expect, test } from 'vitest';
import { burst, type ExamStep, forge, ping } from '../../../infra/exam/acts.ts';
import { adviceOf } from '../../../infra/exam/advice.ts';
import type { Finding } from '../../../infra/exam/shop-failure.ts';
import type { SentEvent } from '../../../shared/contract/testkit/exam-report.ts';
import { sampleEvent } from './sample-report.ts';

const probe = (field: (Finding & { at: 'probe' })['field'], isTooMuch: boolean): Finding => ({
  at: 'probe',
  field,
  isTooMuch,
});
const answer = (must: 'accept' | 'refuse', status: number | null): Finding => ({
  at: 'response',
  must,
  status,
  type: 'payment.succeeded',
});
const PAID = sampleEvent();
const REFUNDED = sampleEvent({ type: 'refund.succeeded', event_id: 'evt_02', answered_status: 204 });
const EXPIRED = sampleEvent({ type: 'payment.expired', event_id: 'evt_03' });

test.each<[Finding, SentEvent[], string]>([
  [
    probe('refunded_minor', false),
    [PAID, REFUNDED],
    'refund.succeeded was answered 204 and nothing changed: does the shop find the order by `payment_id`? An answer of 2xx where the work failed ends the deliveries.',
  ],
  [probe('paid', false), [PAID], 'does the shop find the order by its `reference`'],
  [probe('paid', false), [EXPIRED, PAID], 'after payment.expired, and nothing changed'],
  [probe('paid', false), [PAID, EXPIRED], 'payment.expired was answered 200 after payment.succeeded'],
  [probe('refunded_minor', false), [REFUNDED, PAID], 'does the shop find the order by `payment_id`'],
  [probe('fulfilled', false), [PAID], 'no goods went out'],
  [probe('fulfilled', true), [PAID, PAID], 'payment.succeeded came 2 times with one id'],
  [probe('paid', true), [EXPIRED], 'only payment.succeeded does'],
  [
    answer('refuse', 200),
    [sampleEvent({ manner: 'signed a day ago' })],
    'payment.succeeded, signed a day ago,',
  ],
  [answer('refuse', 500), [PAID], 'refused with 400 or 401'],
  [answer('accept', 500), [PAID], 'the log of the shop says why'],
  [answer('accept', 400), [PAID], 'Does the shop verify the bytes as they came'],
  [answer('accept', null), [sampleEvent({ answered_status: null, error: 'gone' })], 'no answer: gone'],
])('a developer reads what to look at: %#', (finding, sent, words) => {
  expect(adviceOf(finding, sent)).toContain(words);
});

test.each<[string, Finding, ExamStep | undefined, string]>([
  ['403 everywhere', answer('accept', 403), undefined, 'protection of forms (CSRF)'],
  ['404 everywhere', answer('accept', 404), undefined, 'Is --receiver its address?'],
  ['a redirect', answer('accept', 308), undefined, 'with or without a slash at its end'],
  ['500 in a burst', answer('accept', 500), burst(50), '`BEGIN IMMEDIATE`'],
  ['silence in a burst', answer('accept', null), burst(50), 'work off a burst afterwards'],
  ['only SIG-08', answer('accept', 400), ping('otherBytes'), 'parsed and written again'],
  ['only SIG-06', answer('accept', 400), ping('twoSignatures'), 'each of the signatures'],
  ['500 at a malformed signature', answer('refuse', 500), forge('$a', 'noText'), '`ValueError` in Python'],
  ['a lost connection', answer('refuse', null), forge('$a', 'threeParts'), 'catch it, and answer 400'],
  ['404 to a forgery', answer('refuse', 404), forge('$a', 'stale'), 'before it does anything else'],
])('a cause that is recognized has its hint: %s', (_, finding, step, words) => {
  expect(adviceOf(finding, [PAID], step)).toContain(words);
});

test('nothing is said where nothing is known', () => {
  expect(adviceOf({ at: 'address', said: 'the probe had no answer' }, [PAID])).toBeNull();
  expect(adviceOf(probe('paid', false), [])).toBeNull();
});
