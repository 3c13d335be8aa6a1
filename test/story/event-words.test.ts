import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../shared/domain/resource.ts';
import { dayRateOf, dayRateText, planDayRate } from '../../shared/story/day-rate.ts';
import { EVENT_GROUPS, filtersFor, filterTexts, typesOf } from '../../shared/story/event-words.ts';
import type { BodyReader, ReadRequest } from '../../shared/story/read-request.ts';

describe('the events that an endpoint receives', () => {
  it('are all to choose from, in words, no two of a group alike', () => {
    const events = EVENT_GROUPS.flatMap((group) => group.events);
    expect(events.map(({ type }) => type).toSorted()).toEqual(EVENT_TYPES.toSorted());
    expect(events.filter(({ text }) => !/^[A-Z][a-z]+( [a-z]+)*$/.test(text))).toEqual([]);
    for (const { title, events: own } of EVENT_GROUPS) {
      expect(new Set(own.map(({ text }) => text)).size, title).toBe(own.length);
    }
  });

  it.each([
    [['*'], ['All events']],
    [
      ['payment.*', 'refund.succeeded'],
      ['Payments: all', 'Refunds: Refunded'],
    ],
    [
      ['payment.succeeded', 'payment.amount_mismatch'],
      ['Payments: Wrong amount', 'Payments: Paid'],
    ],
  ])('%j are said in words', (filters, texts) => {
    expect(filterTexts(filters)).toEqual(texts);
  });

  it('are the same after they were ticked: a whole group takes its later events, too', () => {
    for (const filters of [['payment.*', 'refund.succeeded'], ['settlement.matched']]) {
      expect(filtersFor(typesOf(filters))).toEqual(filters);
    }
    expect(filtersFor(typesOf(['settlement.matched', 'settlement.mismatched']))).toEqual(['settlement.*']);
    expect(typesOf(['*']).size).toBe(EVENT_TYPES.length);
    expect(filtersFor(new Set())).toEqual([]);
  });
});

describe('the rate of an endpoint', () => {
  const now = new Date('2026-11-02T12:00:00.000Z');
  const attempt = (hoursAgo: number, status: 'delivered' | 'failed') => ({
    attempted_at: new Date(now.getTime() - hoursAgo * 3_600_000).toISOString(),
    status,
  });

  it('is of the last 24 hours, and is not said where nothing was sent', () => {
    const rate = dayRateOf([attempt(1, 'delivered'), attempt(23, 'failed'), attempt(25, 'failed')], now);
    expect(rate).toEqual({ delivered: 1, failed: 1 });
    expect(dayRateText(rate)).toBe('1 of 2 in 24 h (50 %)');
    expect(dayRateText(dayRateOf([attempt(25, 'failed')], now))).toBeNull();
  });

  it('is read back to a day ago, and no further', () => {
    const pages = [[attempt(1, 'delivered')], [attempt(25, 'failed')], [attempt(30, 'failed')]];
    const service = (({ query = {} }: ReadRequest) => {
      const index = Number(query.after ?? 0);
      return { data: pages[index], next_cursor: String(index + 1) };
    }) as BodyReader;
    const { requests, rate, isWhole } = planDayRate('whe_1', now, service);
    expect([requests.length, rate, isWhole]).toEqual([2, { delivered: 1, failed: 0 }, true]);
    const busy = (() => ({ data: [attempt(1, 'failed')], next_cursor: 'x' })) as unknown as BodyReader;
    expect(planDayRate('whe_1', now, busy)).toMatchObject({ rate: { failed: 5 }, isWhole: false });
  });
});
