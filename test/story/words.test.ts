import { describe, expect, test } from 'vitest';
import {
  disabledText,
  eventTypeOf,
  failureOf,
  lastWellAt,
  outcomeText,
  overlapText,
  recoveredText,
  sinkBehavior,
} from '../../shared/story/delivery-words.ts';
import { aheadText, effectsOf, lossesOf } from '../../shared/story/world-words.ts';

describe('an attempt to deliver', () => {
  test.each([
    [{ status: 'delivered', failure: null, answered_status: 204 } as const, null],
    [
      { status: 'failed', failure: 'unreachable', answered_status: null } as const,
      'Failed: its server does not respond.',
    ],
    [
      { status: 'exhausted', failure: null, answered_status: 500 } as const,
      'Given up: the response was 500, and only 2xx accepts an event.',
    ],
    [
      { status: 'failed', failure: null, answered_status: 302 } as const,
      'Failed: the response was 302, and redirects are not followed.',
    ],
  ])('%j says why it failed', (attempt, reason) => {
    expect(failureOf(attempt)).toBe(reason);
  });

  test.each([
    [
      { status: 'delivered', failure: null, answered_status: 200 } as const,
      'answered 200 after 35 ms: the event was accepted.',
    ],
    [
      { status: 'failed', failure: null, answered_status: 500 } as const,
      'answered 500 after 35 ms: only 2xx accepts an event.',
    ],
    [
      { status: 'failed', failure: null, answered_status: 302 } as const,
      'answered 302 after 35 ms: redirects are not followed.',
    ],
    [
      { status: 'exhausted', failure: 'name_not_found', answered_status: null } as const,
      'gave no answer after 35 ms: its host name is unknown. No attempt follows.',
    ],
  ])('%j tells what the receiver said', (attempt, said) => {
    expect(outcomeText({ ...attempt, duration_ms: 35 }, 'endpoint')).toBe(`Your server ${said}`);
    expect(outcomeText({ ...attempt, duration_ms: null }, 'sink')).toBe(
      `The sink ${said.replace(' after 35 ms', '')}`,
    );
  });

  test('names the type of its event', () => {
    expect(eventTypeOf({ body: '{"type":"payment.succeeded","id":"evt_1"}' })).toBe('payment.succeeded');
    expect(eventTypeOf({ body: '' })).toBe('event');
  });
});

describe('an endpoint', () => {
  test('says why it is disabled', () => {
    expect(disabledText({ disabled_reason: 'gone' })).toBe('Disabled: its server responded with 410 (Gone)');
  });

  test('misses nothing that is recovered from the proposed instant', () => {
    const created_at = '2026-11-24T00:00:00.000Z';
    expect(lastWellAt({ last_success_at: null, created_at })).toBe(created_at);
    expect(lastWellAt({ last_success_at: '2026-11-24T00:30:00.000Z', created_at })).toBe(created_at);
    expect(lastWellAt({ last_success_at: '2026-11-24T05:00:00.000Z', created_at })).toBe(
      '2026-11-24T04:00:00.000Z',
    );
  });

  test('counts what it is sent again', () => {
    expect(recoveredText({ events_queued: 1 })).toBe('1 event is being sent again.');
    expect(recoveredText({ events_queued: 2 })).toBe('2 events are being sent again.');
  });

  test('says in the time of Bangkok how long its previous secret signs', () => {
    expect(overlapText('2025-11-24T18:30:00.000Z')).toBe(
      'The previous secret also signs until 25 Nov 2025, 01:30:00 in Bangkok, in real time.',
    );
  });

  test('that is a sink says how it responds', () => {
    expect(sinkBehavior({ fail_count: 2, respond_status: 503 })).toBe('fails 2 more, with 503');
    expect(sinkBehavior({ fail_count: 0, respond_status: 200 })).toBe('responds with 200');
  });
});

describe('the test world', () => {
  test('counts what a purge deletes, and says so where a count is unknown', () => {
    const many = { data: Array.from({ length: 100 }, () => ({})), has_more: true, next_cursor: 'next' };
    const one = { data: [{}], has_more: false, next_cursor: null };
    const clock = { offset_seconds: 90_000 };
    const losses = lossesOf({ clock, payments: many, sinks: one, endpoints: null });
    expect(losses[0]).toContain('100 or more payments');
    expect(losses[1]).toContain('1 webhook sink,');
    expect(losses[2]).toContain('all webhook endpoints');
    expect(losses.at(-1)).toContain('1 d 1 h back');
  });

  test('says what a move of its clock has done', () => {
    const shifted = {
      ...{ from: '2026-11-02T03:00:00.000Z', to: '2026-11-02T04:00:00.000Z', payments_expired: 0 },
      ...{ refunds_approved: 0, simulations_applied: 0, deliveries_attempted: 0, jobs_remaining: 0 },
    };
    expect(effectsOf({ shifted: { ...shifted, payments_expired: 2 } })).toBe('payments expired: 2.');
    expect(effectsOf({ shifted })).toBe('');
    expect(aheadText(0)).toBe('in step with real time');
    expect(aheadText(3_600)).toBe('1 h ahead of real time');
  });
});
