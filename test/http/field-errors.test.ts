import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { toFieldErrors } from '../../shared/http/field-errors.ts';
import { inShort } from '../support/world/refusals.ts';

const schema = v.strictObject({
  name: v.pipe(v.string(), v.minLength(2), v.maxLength(4)),
  count: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9))),
  open: v.optional(v.boolean()),
  kind: v.optional(v.picklist(['a', 'b'])),
  inner: v.optional(v.strictObject({ deep: v.optional(v.strictObject({ leaf: v.string() })) })),
  notes: v.optional(
    v.pipe(v.record(v.string(), v.union([v.string(), v.number(), v.null()])), v.maxEntries(2)),
  ),
});

function errorsOf(json: string) {
  const sent = JSON.parse(json);
  return toFieldErrors(schema, v.safeParse(schema, sent).issues ?? [], sent);
}

/** An error without its message. */
function shortOf(json: string): string[] {
  return inShort(errorsOf(json));
}

describe('field errors', () => {
  it('are none where nothing is wrong', () => {
    expect(errorsOf('{"name":"abc","count":1,"notes":{"x":null}}')).toEqual([]);
  });

  it.each([
    ['{}', ['name: required']],
    ['{"name":null}', ['name: type']],
    ['{"name":7}', ['name: type']],
    ['{"name":"a"}', ['name: too_short']],
    ['{"name":"abcde"}', ['name: too_long']],
    ['{"name":"abc","count":0}', ['count: min']],
    ['{"name":"abc","count":10}', ['count: max']],
    ['{"name":"abc","count":1.5}', ['count: type']],
    ['{"name":"abc","count":"1"}', ['count: type']],
    ['{"name":"abc","open":0}', ['open: type']],
    ['{"name":"abc","kind":"c"}', ['kind: enum']],
    ['{"name":"abc","inner":1}', ['inner: type']],
    ['{"name":"abc","inner":{"deep":{}}}', ['inner.deep.leaf: required']],
    ['{"name":"abc","inner":{"deep":{"leaf":1}}}', ['inner.deep.leaf: type']],
    ['{"name":"abc","notes":{"a":1,"b":2,"c":3}}', ['notes: too_long']],
    ['{"name":"abc","notes":{"a":true}}', ['notes.a: type']],
    ['{"name":"abc","other":1}', ['other: unknown']],
    ['{"name":"abc","inner":{"other":1}}', ['inner.other: unknown']],
  ])('of %s are %j', (json, errors) => {
    expect(shortOf(json)).toEqual(errors);
  });

  it('are all reported at once', () => {
    const json = '{"count":0,"open":"x","kind":"c","inner":{"deep":{}},"notes":{"a":[]},"other":1}';
    expect(shortOf(json)).toEqual([
      'count: min',
      'inner.deep.leaf: required',
      'kind: enum',
      'name: required',
      'notes.a: type',
      'open: type',
      'other: unknown',
    ]);
  });

  it('name every unknown field, not the first one alone', () => {
    expect(shortOf('{"name":"abc","one":1,"two":2,"inner":{"three":3,"four":4}}')).toEqual([
      'inner.four: unknown',
      'inner.three: unknown',
      'one: unknown',
      'two: unknown',
    ]);
  });

  it('state in words what is expected', () => {
    const json = '{"name":"a","count":0,"open":1,"kind":"c","inner":{"other":1},"notes":{"a":1,"b":2,"c":3}}';
    const said = Object.fromEntries(errorsOf(json).map(({ field, message }) => [field, message]));
    expect(said).toEqual({
      name: expect.stringContaining('2 character'),
      count: expect.stringContaining('at least 1'),
      open: expect.stringContaining('boolean'),
      kind: expect.stringMatching(/"a".*"b"/),
      'inner.other': expect.stringContaining('not a known field'),
      notes: expect.stringContaining('2 entries'),
    });
  });
});

describe('what JavaScript would let pass', () => {
  it.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'])(
    'as a field of every object is refused: %s',
    (name) => {
      expect(shortOf(`{"name":"abc","${name}":{}}`)).toEqual([`${name}: unknown`]);
      expect(shortOf(`{"name":"abc","inner":{"${name}":{}}}`)).toEqual([`inner.${name}: unknown`]);
      expect(shortOf(`{"name":"abc","inner":{"deep":{"leaf":"x","${name}":1}}}`)).toEqual([
        `inner.deep.${name}: unknown`,
      ]);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype'])(
    'loses no key of a map silently: %s is refused',
    (name) => {
      expect(shortOf(`{"name":"abc","notes":{"${name}":"x"}}`)).toEqual([`notes.${name}: unknown`]);
    },
  );

  it('reaches no prototype', () => {
    errorsOf('{"name":"abc","__proto__":{"polluted":1},"notes":{"__proto__":{"polluted":1}}}');
    expect(Object(null)).not.toHaveProperty('polluted');
  });

  it.each([
    ['{"name":"abc","inner":[]}', 'inner: type'],
    ['{"name":"abc","notes":[]}', 'notes: type'],
    ['{"name":["abc"]}', 'name: type'],
    ['{"name":"abc","notes":{"a":[]}}', 'notes.a: type'],
  ])('as an object, though it is a list, is refused: %s', (json, error) => {
    expect(shortOf(json)).toEqual([error]);
  });
});

describe('the messages of field errors', () => {
  const MARKER = 'Zq7xMARKERw9';

  it.each([
    `{"name":"${MARKER}"}`,
    `{"name":{"x":"${MARKER}"}}`,
    `{"name":["${MARKER}"]}`,
    `{"name":"abc","count":"${MARKER}","open":"${MARKER}","kind":"${MARKER}"}`,
    `{"name":"abc","inner":"${MARKER}","notes":"${MARKER}"}`,
    `{"name":"abc","notes":{"a":{"b":"${MARKER}"}}}`,
    `{"name":"abc","other":"${MARKER}","__proto__":"${MARKER}"}`,
  ])('never repeat a value that was sent: %s', (json) => {
    expect(errorsOf(json).length).toBeGreaterThan(0);
    expect(JSON.stringify(errorsOf(json))).not.toContain(MARKER);
  });
});

describe('a hostile body', () => {
  it('gets 50 errors at most', () => {
    const notes = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, true]));
    expect(errorsOf(JSON.stringify({ name: 'abc', notes }))).toHaveLength(50);
  });

  it('gets back only the start of a field name that is too long', () => {
    const [error] = errorsOf(`{"name":"abc","${'n'.repeat(10_000)}":1}`);
    expect(error).toMatchObject({ code: 'unknown', field: 'n'.repeat(64) });
  });

  it('cannot exhaust the stack by its depth', () => {
    const depth = 20_000;
    const json = `{"name":"abc","other":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
    expect(shortOf(json)).toEqual(['other: unknown']);
  });

  it('gets one error for one fault of one field', () => {
    expect(shortOf('{"name":[1,2,3]}')).toEqual(['name: type']);
  });
});
