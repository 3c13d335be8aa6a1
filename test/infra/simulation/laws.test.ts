import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../infra/exam/shop-failure.ts';
import { lawOf } from '../../../infra/simulation/laws.ts';

const probe = (field: 'order' | 'paid' | 'fulfilled' | 'refunded_minor', isTooMuch: boolean): Finding => ({
  at: 'probe',
  field,
  isTooMuch,
});

describe('the law that a shop breaks', () => {
  test.each<[Finding, string]>([
    [{ at: 'response', must: 'accept', status: 500, type: 'payment.created' }, 'accepted'],
    [{ at: 'address', said: 'the probe had no answer' }, 'reachable'],
    [probe('order', false), 'kept'],
    [probe('paid', false), 'kept'],
    [probe('fulfilled', false), 'kept'],
    [probe('refunded_minor', false), 'kept'],
    [probe('paid', true), 'paid'],
    [probe('fulfilled', true), 'once'],
    [probe('refunded_minor', true), 'refunded'],
  ])('by %j is "%s"', (finding, law) => {
    expect(lawOf(finding)).toBe(law);
  });
});
