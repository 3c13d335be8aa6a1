import { readFile } from 'node:fs/promises';
import { ScenarioFileError } from './read-scenario.ts';

const LINE_END = 0x0a;

/**
 * The text of a scenario file.
 * @throws ScenarioFileError where a byte is no UTF-8
 * @throws Error if the file cannot be read
 */
export async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} cannot be read${error.code === 'EISDIR' ? ': it is a folder' : ''}.`);
  });
  const text = decoded(bytes);
  if (text !== null) {
    return text;
  }
  let line = 1;
  let start = 0;
  for (;;) {
    const found = bytes.indexOf(LINE_END, start);
    const end = found < 0 ? bytes.length : found;
    if (decoded(bytes.subarray(start, end)) === null) {
      const column = columnOfFault(bytes.subarray(start, end));
      throw new ScenarioFileError(file, [{ line, column, text: 'is no UTF-8 from here on.' }]);
    }
    line += 1;
    start = end + 1;
  }
}

/** Null where a byte is no UTF-8. */
function decoded(bytes: Uint8Array, isPart = false): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isPart });
  } catch {
    return null;
  }
}

function columnOfFault(line: Uint8Array): number {
  let right = 0;
  while (right < line.length && decoded(line.subarray(0, right + 1), true) !== null) {
    right += 1;
  }
  return String(decoded(line.subarray(0, right), true)).length + 1;
}
