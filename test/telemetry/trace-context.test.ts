import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  formatTraceHeaders,
  newTrace,
  packTrace,
  parseAmazonTrace,
  parseTraceHeaders,
  unpackTrace,
} from '../../shared/telemetry/trace-context.ts';
import { INVALID_TRACEPARENTS } from '../support/world/traceparents.ts';

const hex = (digits: number) =>
  fc
    .string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits })
    .filter((text) => /[^0]/.test(text));
const flags = fc.constantFrom('00', '01', '02', '03', 'ff');
const key = fc.stringMatching(/^[a-z][a-z0-9_*/-]{0,10}$/);
const value = fc.stringMatching(/^[!-+\-.-<>-~]{1,20}$/);
const members = fc.uniqueArray(fc.tuple(key, value), {
  selector: ([name]) => name,
  minLength: 1,
  maxLength: 14,
});

describe('a traceparent', () => {
  test('of version 00 is read, and goes on with its flag of sampling alone', () => {
    fc.assert(
      fc.property(hex(32), hex(16), flags, (traceId, spanId, given) => {
        const trace = parseTraceHeaders([`00-${traceId}-${spanId}-${given}`]);
        expect(trace).toEqual({ traceId, spanId, traceFlags: Number(`0x${given}`) & 1, isRemote: true });
        const sampled = Number(`0x${given}`) % 2 === 1 ? '01' : '00';
        expect(trace && formatTraceHeaders(trace)).toEqual({
          traceparent: `00-${traceId}-${spanId}-${sampled}`,
        });
      }),
    );
  });

  test.each(INVALID_TRACEPARENTS)('%j is ignored', (given) => {
    expect(parseTraceHeaders([given])).toBeNull();
  });

  test('is ignored where it was sent twice, or not at all', () => {
    const valid = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(parseTraceHeaders([valid])).not.toBeNull();
    expect(parseTraceHeaders([valid, valid])).toBeNull();
    expect(parseTraceHeaders([])).toBeNull();
  });

  test('is never made of anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseTraceHeaders([text])).toBeNull();
      }),
    );
  });
});

describe('a tracestate', () => {
  const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const passedOn = (...lines: string[]) => {
    const trace = parseTraceHeaders([PARENT], lines);
    return trace === null ? null : formatTraceHeaders(trace).tracestate;
  };

  test('goes on as it came, in however many lines, up to 512 characters', () => {
    fc.assert(
      fc.property(members, (pairs) => {
        const texts = pairs.map(([name, text]) => `${name}=${text}`);
        const whole = texts.join(',');
        const expected = whole.length <= 512 ? whole : undefined;
        expect(passedOn(whole)).toBe(expected);
        expect(passedOn(...texts)).toBe(expected);
        expect(passedOn(`${texts.join(' ,\t')},,`)).toBe(expected);
      }),
    );
  });

  test.each([
    ['512 characters', `a=${'x'.repeat(253)},b=${'y'.repeat(254)}`, true],
    ['513 characters', `a=${'x'.repeat(254)},b=${'y'.repeat(254)}`, false],
    ['32 members', Array.from({ length: 32 }, (_, nth) => `k${nth}=v`).join(','), true],
    ['33 members', Array.from({ length: 33 }, (_, nth) => `k${nth}=v`).join(','), false],
    ['the key of a tenant', 'fw529a3039@dt=FfAAAAB', true],
    ['a key in capitals', 'Rojo=1', false],
    ['a key twice', 'rojo=1,congo=2,rojo=3', false],
    ['no value', 'rojo', false],
    ['an equals sign in the value', 'rojo=a=b', false],
    ['a character that is not printable', 'rojo=\u0007', false],
  ])('of %s goes on: %s', (_what, given, goesOn) => {
    expect(passedOn(given)).toBe(goesOn ? given : undefined);
  });
});

test('a stored trace is read as it was, in 25 bytes', () => {
  fc.assert(
    fc.property(hex(32), hex(16), fc.constantFrom(0, 1), (traceId, spanId, traceFlags) => {
      const bytes = packTrace({ traceId, spanId, traceFlags });
      expect(bytes.length).toBe(25);
      expect(unpackTrace(bytes)).toEqual({ traceId, spanId, traceFlags, isRemote: true });
    }),
  );
  expect(unpackTrace(Buffer.alloc(0))).toBeNull();
});

describe("the gateway's trace", () => {
  test('is read in the form of W3C, with the parent and the sampling that it names', () => {
    const line = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1';
    expect(parseAmazonTrace([line])).toEqual({
      traceId: '5759e988bd862e3fe1be46a994272793',
      spanId: '53995c3f42cd8ad8',
      traceFlags: 1,
      isRemote: true,
    });
    expect(parseAmazonTrace(['Self=1-1-1; Root=1-5759e988-bd862e3fe1be46a994272793'])).toMatchObject({
      traceId: '5759e988bd862e3fe1be46a994272793',
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      traceFlags: 0,
    });
  });

  test.each([
    '',
    'Root=',
    'Root=2-5759e988-bd862e3fe1be46a994272793',
    'Root=1-00000000-000000000000000000000000',
  ])('%j is ignored', (line) => {
    expect(parseAmazonTrace([line])).toBeNull();
  });
});

test('a new trace can be read by every other program', () => {
  const made = newTrace();
  expect(parseTraceHeaders([formatTraceHeaders(made).traceparent])).toEqual({ ...made, isRemote: true });
});
