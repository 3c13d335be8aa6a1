import { describe, expect, it } from 'vitest';
import { operations } from '../../shared/contract/operations.ts';
import { fieldErrorsOf, inShort, refusalsOf } from '../support/world/refusals.ts';

const { createPaymentLink, disablePaymentLink } = operations;
const NOW = Date.UTC(2026, 10, 2, 3, 4, 5, 678);
const DAY_MS = 24 * 60 * 60_000;
const baht = (minor: number) => ({ currency: 'THB', minor });
const fixed = { type: 'fixed', fixed: baht(35_000) };
const iso = (epochMs: number) => new Date(epochMs).toISOString();

/** What the schema and the rules together report to a caller. */
function allRefusalsOf(body: Record<string, unknown>): string[] {
  return [
    ...refusalsOf(createPaymentLink, body),
    ...inShort(createPaymentLink.checkBody(body, NOW, 'test')),
  ].toSorted();
}

describe('the body of Create Payment Link', () => {
  it.each([
    ['a fixed amount', { amount: fixed }],
    ['a fixed amount and its currency', { amount: { ...fixed, currency: 'THB' } }],
    ['an open amount without bounds', { amount: { type: 'open' } }],
    ['an open amount with a lower bound', { amount: { type: 'open', min: baht(1) } }],
    ['an open amount with an upper bound', { amount: { type: 'open', max: baht(999_999_999_999) } }],
    ['bounds that are equal', { amount: { type: 'open', min: baht(500), max: baht(500) } }],
    ['every collect rule', { amount: fixed, collect: { email: 'required', name: 'optional', phone: 'off' } }],
    ['one use', { amount: fixed, max_uses: 1 }],
    ['a million uses', { amount: fixed, max_uses: 1_000_000 }],
    ['an end in a millisecond', { amount: fixed, expires_at: iso(NOW + 1) }],
    ['an end in a year', { amount: fixed, expires_at: iso(NOW + 365 * DAY_MS) }],
    ['an end without milliseconds', { amount: fixed, expires_at: '2026-12-24T18:00:00Z' }],
    ['an end in Bangkok time', { amount: fixed, expires_at: '2026-12-24T18:00:00+07:00' }],
    [
      'metadata, a description and an address',
      { amount: fixed, metadata: { a: 1 }, description: 'x', return_url: 'https://a.example' },
    ],
  ])('accepts %s', (_name, body) => {
    expect(allRefusalsOf(body)).toEqual([]);
  });

  it.each([
    ['nothing', {}, ['amount: required']],
    ['an amount without a type', { amount: {} }, ['amount.type: required']],
    ['money as amount', { amount: baht(1) }, ['amount.minor: unknown', 'amount.type: required']],
    ['an unknown type', { amount: { type: 'free' } }, ['amount.type: enum']],
    ['a fixed amount that is missing', { amount: { type: 'fixed' } }, ['amount.fixed: required']],
    ['a fixed amount with a lower bound', { amount: { ...fixed, min: baht(1) } }, ['amount.min: conflict']],
    ['a fixed amount with an upper bound', { amount: { ...fixed, max: baht(1) } }, ['amount.max: conflict']],
    [
      'bounds instead of a fixed amount',
      { amount: { type: 'fixed', min: baht(1), max: baht(2) } },
      ['amount.fixed: required', 'amount.max: conflict', 'amount.min: conflict'],
    ],
    [
      'an open amount that is fixed',
      { amount: { type: 'open', fixed: baht(1) } },
      ['amount.fixed: conflict'],
    ],
    [
      'bounds that cross',
      { amount: { type: 'open', min: baht(501), max: baht(500) } },
      ['amount.min: conflict'],
    ],
    [
      'a least amount above what an open one takes',
      { amount: { type: 'open', min: baht(100_000_001) } },
      ['amount.min: max'],
    ],
    ['another currency', { amount: { type: 'open', currency: 'USD' } }, ['amount.currency: enum']],
    [
      'another currency in a part',
      { amount: { type: 'fixed', fixed: { currency: 'USD', minor: 1 } } },
      ['amount.fixed.currency: enum'],
    ],
    ['a fixed amount of nothing', { amount: { type: 'fixed', fixed: baht(0) } }, ['amount.fixed.minor: min']],
    ['a fixed amount of null', { amount: { type: 'fixed', fixed: null } }, ['amount.fixed: type']],
    ['an unknown collect rule', { amount: fixed, collect: { email: 'yes' } }, ['collect.email: enum']],
    [
      'an unknown thing to collect',
      { amount: fixed, collect: { address: 'off' } },
      ['collect.address: unknown'],
    ],
    ['a list to collect', { amount: fixed, collect: ['email'] }, ['collect.0: unknown', 'collect: type']],
    ['no use', { amount: fixed, max_uses: 0 }, ['max_uses: min']],
    ['a use too many', { amount: fixed, max_uses: 1_000_001 }, ['max_uses: max']],
    ['a part of a use', { amount: fixed, max_uses: 1.5 }, ['max_uses: type']],
    ['an end that is now', { amount: fixed, expires_at: iso(NOW) }, ['expires_at: min']],
    ['an end in the past', { amount: fixed, expires_at: iso(NOW - DAY_MS) }, ['expires_at: min']],
    [
      'an end after more than 366 days',
      { amount: fixed, expires_at: iso(NOW + 366 * DAY_MS + 1) },
      ['expires_at: max'],
    ],
    [
      'an end that is past in its own zone',
      { amount: fixed, expires_at: '2026-11-02T09:00:00+07:00' },
      ['expires_at: min'],
    ],
    [
      'an end of the Buddhist era',
      { amount: fixed, expires_at: '2569-12-01T00:00:00Z' },
      ['expires_at: max'],
    ],
    ['an end of null', { amount: fixed, expires_at: null }, ['expires_at: type']],
    ['an end as a number', { amount: fixed, expires_at: NOW + 1 }, ['expires_at: type']],
    [
      'everything wrong at once',
      {
        amount: { type: 'fixed', max: baht(0) },
        max_uses: 0,
        expires_at: iso(NOW),
        collect: { phone: 1 },
        uses: 1,
      },
      [
        'amount.fixed: required',
        'amount.max.minor: min',
        'amount.max: conflict',
        'collect.phone: enum',
        'expires_at: min',
        'max_uses: min',
        'uses: unknown',
      ],
    ],
  ])('refuses %s', (_name, body, refusals) => {
    expect(allRefusalsOf(body)).toEqual(refusals.toSorted());
  });

  it.each([
    ['the 30th of February', '2026-02-30T00:00:00Z'],
    ['a leap day of a common year', '2027-02-29T00:00:00Z'],
    ['the 31st of November', '2026-11-31T00:00:00Z'],
    ['the month 13', '2026-13-01T00:00:00Z'],
    ['the hour 24', '2026-12-01T24:00:00Z'],
    ['the hour 25', '2026-12-01T25:00:00Z'],
    ['the minute 60', '2026-12-01T00:60:00Z'],
    ['a date alone', '2026-12-01'],
    ['no time zone', '2026-12-01T00:00:00'],
    ['a zone that does not exist', '2026-12-01T00:00:00+25:00'],
    ['the name of a zone', '2026-12-01T00:00:00 ICT'],
    ['a space for the T', '2026-12-01 00:00:00Z'],
    ['no seconds', '2026-12-01T00:00Z'],
    ['a day of one digit', '2026-12-1T00:00:00Z'],
    ['words', 'tomorrow'],
    ['nothing in it', ''],
  ])('refuses an end with %s', (_name, expires_at) => {
    expect(allRefusalsOf({ amount: fixed, expires_at })).toEqual(['expires_at: format']);
  });

  it.each(['__proto__', 'constructor'])('refuses the unknown field %s in every object', (name) => {
    const inside = `{"amount":{"type":"open","${name}":{"minor":1}},"collect":{"${name}":"off"}}`;
    expect(refusalsOf(createPaymentLink, inside)).toEqual([
      `amount.${name}: unknown`,
      `collect.${name}: unknown`,
    ]);
  });

  it('gets errors that repeat no sent value', () => {
    const MARKER = 'Zq7xMARKERw9';
    const body = {
      amount: { type: MARKER, currency: MARKER, fixed: { currency: MARKER, minor: MARKER }, min: MARKER },
      collect: { email: MARKER, name: MARKER, phone: { MARKER } },
      expires_at: MARKER,
      max_uses: MARKER,
      return_url: `https://${MARKER}:${MARKER}@example.com`,
      metadata: [MARKER],
    };
    const errors = [
      ...fieldErrorsOf(createPaymentLink, body),
      ...createPaymentLink.checkBody(body, NOW, 'test'),
    ];
    expect(new Set(errors.map(({ field }) => field.split('.')[0]))).toEqual(new Set(Object.keys(body)));
    expect(JSON.stringify(errors)).not.toContain(MARKER);
  });
});

describe('the rules of a payment link', () => {
  it.each([
    {},
    { amount: null },
    { amount: 'fixed' },
    { amount: [] },
    { amount: { type: 'open', min: 5, max: null } },
    { amount: { type: 'open', min: { minor: '9' }, max: { minor: 1 } } },
    { expires_at: '2026-02-30T00:00:00Z' },
    { expires_at: {} },
  ])('leave malformed values to the schema: %j', (body) => {
    expect(createPaymentLink.checkBody(body, NOW, 'test')).toEqual([]);
  });

  it('follow the clock of the merchant', () => {
    const body = { amount: fixed, expires_at: iso(NOW + DAY_MS) };
    expect(createPaymentLink.checkBody(body, NOW, 'test')).toEqual([]);
    expect(inShort(createPaymentLink.checkBody(body, NOW + 2 * DAY_MS, 'test'))).toEqual(['expires_at: min']);
  });
});

describe('the body of Disable Payment Link', () => {
  it.each([
    ['{}', []],
    ['{"link_id":"lnk_01h455vb4pex5vsknk084sn02q"}', []],
    ['{"link_id":false}', ['link_id: type']],
    ['{"status":"disabled"}', ['status: unknown']],
  ])('%s is refused for %j', (body, refusals) => {
    expect(refusalsOf(disablePaymentLink, body)).toEqual(refusals);
  });
});
