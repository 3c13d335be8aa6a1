import { styleText } from 'node:util';

/*
 * What comes from outside (a shop, a service, a file) is cleaned before it is shown: no control character steers the
 * terminal, no direction of writing turns what people read, and no line is a command of the CI that shows it.
 */

/** Controls (C0, C1), characters of format (bidi among them), and separators of lines. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const CONTROLS_AND_SPACES = /[\p{Cc}\p{Cf}\s]+/gu;
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** GitHub takes a line that begins with `::` for a command, and `##[` and `##vso[` anywhere in it. */
const COMMAND_START = /^(\s*:)(?=:)/;
const COMMAND_MARK = /##(?=\w*\[)/g;

const OWN_COLOUR = new RegExp(`(${String.fromCharCode(0x1b)}\\[(?:31|32|33|39)m)`);

/** A text from outside as part of a line. */
export function cleanText(text: string): string {
  return text.replaceAll(CONTROLS_AND_SPACES, ' ');
}

/** A line as it is printed: it stays one line, and of escapes only the colours of this program are left. */
export function cleanLine(line: string): string {
  return splitAtColours(line)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(CONTROLS, ' ')))
    .join('')
    .replace(COMMAND_START, '$1 ')
    .replaceAll(COMMAND_MARK, '## ');
}

/** A value as JSON, with every control character escaped, so that it is the same value and nothing is steered. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replaceAll(CONTROL, (character) => (character === '\n' ? '\n' : escaped(character)))
    .replaceAll(COMMAND_MARK, `${escaped('#')}#`);
}

/** By their UTF-16 units, as JSON has it. */
function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${unit}`;
  }).join('');
}

/** At odd indexes stand the colours that `styleText` writes, where it writes any. */
function splitAtColours(line: string): string[] {
  return styleText('red', '') === '' ? [line] : line.split(OWN_COLOUR);
}
