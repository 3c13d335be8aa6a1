import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../shared/errors/problem.ts';
import { readJson } from '../../shared/http/read-json.ts';

describe('a JSON text', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(readJson(text)).toEqual({ value: JSON.parse(text), inexact: [] });
      }),
    );
  });

  it('is refused wherever one of its objects has a name twice, however it is spelled', () => {
    const MARK = '"here"';
    const escaped = (name: string) =>
      Array.from(name, (char) =>
        char.length === 1 ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}` : char,
      ).join('');
    const around = fc.letrec((tie) => ({
      nested: fc.oneof(
        { withCrossShrink: true },
        fc.constant(MARK),
        fc.tuple(fc.json(), tie('nested')).map(([first, nested]) => `[${first},${nested}]`),
        fc.tuple(fc.json(), tie('nested')).map(([last, nested]) => `{"a":${nested},"b":${last}}`),
      ),
    })).nested as fc.Arbitrary<string>;
    fc.assert(
      fc.property(around, fc.string(), fc.json(), fc.json(), (outside, name, one, other) => {
        const twice = `{${JSON.stringify(name)}:${one},"${escaped(name)}":${other}}`;
        expect(() => readJson(outside.replace(MARK, () => twice))).toThrow(Problem);
        const once = `{${JSON.stringify(name)}:${one},"${escaped(`${name}x`)}":${other}}`;
        expect(() => readJson(outside.replace(MARK, () => once))).not.toThrow();
      }),
    );
  });

  it.each(['', '{', '{"a":1,}', "{'a':1}", '[1 2]', 'NaN', '01', '{"a"}', '\ufeff{}'])(
    'that is none is refused: %j',
    (text) => {
      expect(() => readJson(text)).toThrow(Problem);
    },
  );

  it.each([
    ['9007199254740993', true],
    ['9007199254740992.5', true],
    ['9007199254740991.4', true],
    ['100.00000000000000000001', true],
    ['0.12345678901234567890', true],
    ['1e400', true],
    ['-1e400', true],
    ['1e-400', true],
    ['1e99999999999999999999', true],
    ['9007199254740992.0', false],
    ['9007199254740991', false],
    ['-9007199254740991', false],
    ['0.1', false],
    ['0.10', false],
    ['1299.50', false],
    ['1e2', false],
    ['1.5E+3', false],
    ['100e-2', false],
    ['1e21', false],
    ['5e-324', false],
    ['0', false],
    ['-0.0', false],
    ['0e999', false],
  ])('says of the number %s whether it would be changed: %s', (number, isChanged) => {
    expect(readJson(`{"a":[0,{"b":${number}}],"c":1}`).inexact).toEqual(isChanged ? [['a', '1', 'b']] : []);
  });

  it('of 64 KB costs little, whatever its depth and its numbers', () => {
    const deep = '['.repeat(20_000);
    const text = `${deep}${'1e400,'.repeat(3_000)}0${']'.repeat(20_000)}`;
    expect(readJson(text).inexact).toHaveLength(50);
  });
});
