import { createInterface } from 'node:readline/promises';

/**
 * Asks on the terminal whether something is meant that cannot be undone.
 * @param word what is to be typed to say so
 * @throws Error where nobody is there to be asked
 */
export async function isMeant(what: string, word: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Error(`${what} Nobody is there to be asked whether this is meant: say so with --yes.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${what} Type "${word}" to do it: `);
  terminal.close();
  return answer.trim() === word;
}
