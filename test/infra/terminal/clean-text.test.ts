import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanLine, cleanText, jsonText } from '../../../infra/terminal/clean-text.ts';

const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const hostile = fc.string({
  unit: fc.constantFrom(
    ...['\u001b]0;x\u0007', '\u001b[2J', '\u009b', '\r', '\n', '\u202e', '\u2066', '\u2028', '\u007f', '\0'],
    ...['::', '::error::', '##[', '##vso[', ' ', 'a', 'ก', '"', '\\', '😀', '\u{e0041}'],
  ),
});

describe('what is printed of a text from outside', () => {
  test('is one line, steers no terminal and is no command of a CI', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of [cleanLine(text), cleanLine(cleanText(text))]) {
          expect(line).not.toMatch(STEERING);
          expect(line.trimStart().startsWith('::')).toBe(false);
          expect(line).not.toMatch(/##\w*\[/);
        }
      }),
    );
  });

  test('is the same value as JSON', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(undefined, 2), (text, indent) => {
        const json = jsonText({ [text]: [text] }, indent);
        expect(JSON.parse(json)).toEqual({ [text]: [text] });
        expect(json.replaceAll('\n', '')).not.toMatch(STEERING);
        expect(json).not.toMatch(/##\w*\[/);
      }),
    );
  });

  test('is unchanged where nothing in it steers', () => {
    expect(cleanLine('  2 × ฿1,299.00  ร้านกาแฟ "x" \\n')).toBe('  2 × ฿1,299.00  ร้านกาแฟ "x" \\n');
  });
});
