import { createInterface } from 'node:readline/promises';

/**
 * Asks on the terminal before something is done that cannot be undone.
 * @param what what would be done, as a sentence
 * @param word what has to be typed to do it
 * @throws Error where there is no terminal
 */
export async function isMeant(what: string, word: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Error(`${what} There is no terminal to ask on: if you mean it, add --yes.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D are an answer, too.
  const answer = await terminal.question(`${what} Type "${word}" to do it: `).catch(() => '');
  terminal.close();
  return answer.trim() === word;
}
