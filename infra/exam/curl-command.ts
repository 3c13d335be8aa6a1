import type { SentEvent } from '../../shared/contract/testkit/exam-report.ts';

/** What every way of showing a command leaves as it is: no control, no second space, nothing that a CI takes for a command. */
const PLAIN = /^(?:[!-"$-&(-[\]-~]| (?! ))*$/;
const SAFE_WORD = /^[\w@%+=:,./-]+$/;
const BYTE_PLAIN = /[!-"$-&(-[\]-~]/;

/**
 * The command that sends a request again, byte for byte, as one line for bash and zsh. A receiver accepts it for as long
 * as it accepts the time of the signature.
 */
export function curlCommand(url: string, { headers, body }: Pick<SentEvent, 'headers' | 'body'>): string {
  const given = Object.entries(headers).map(([name, value]) => {
    // With nothing after the colon, curl would leave the header out.
    const header = value === '' ? `${name};` : `${name}: ${value}`;
    return `-H ${shellText(header, 'latin1')}`;
  });
  return ['curl -sS -i', ...given, `--data-raw ${shellText(body, 'utf8')}`, shellWord(url)].join(' ');
}

/** A text as one word of a shell, without quotes where it needs none. */
export function shellWord(text: string): string {
  return SAFE_WORD.test(text) ? text : shellText(text, 'utf8');
}

/** @param encoding of the bytes that the shell is to pass on */
function shellText(text: string, encoding: 'latin1' | 'utf8'): string {
  return PLAIN.test(text) ? `'${text}'` : `$'${[...Buffer.from(text, encoding)].map(escapedByte).join('')}'`;
}

function escapedByte(byte: number, index: number, bytes: readonly number[]): string {
  const character = String.fromCharCode(byte);
  const isPlain = BYTE_PLAIN.test(character) || (character === ' ' && bytes[index - 1] !== byte);
  return isPlain ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
}
