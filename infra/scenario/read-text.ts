import { readFile } from 'node:fs/promises';
import { ScenarioFileError } from './read-scenario.ts';

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
  if (text === null) {
    throw new ScenarioFileError(file, [{ ...positionOfFault(bytes), text: 'is no UTF-8 from here on.' }]);
  }
  return text;
}

/** Null where a byte is no UTF-8. @param isPart whether the last character may be cut off */
function decoded(bytes: Uint8Array, isPart = false): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isPart });
  } catch {
    return null;
  }
}

function positionOfFault(bytes: Uint8Array) {
  let [right, wrong] = [0, bytes.length];
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    [right, wrong] = decoded(bytes.subarray(0, middle), true) === null ? [right, middle] : [middle, wrong];
  }
  const lines = String(decoded(bytes.subarray(0, right), true)).split('\n');
  return { line: lines.length, column: String(lines.at(-1)).length + 1 };
}
