import { createInterface } from 'node:readline/promises';

/**
 * Asks for confirmation on the terminal before an action that cannot be undone.
 * @param what the action, as a sentence
 * @param word the word that has to be typed to confirm
 * @throws Error if there is no terminal
 */
export async function isMeant(what: string, word: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new Error(`${what} There is no terminal for a confirmation: to proceed, add --yes.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D mean no.
  const answer = await terminal.question(`${what} Type "${word}" to confirm: `).catch(() => '');
  terminal.close();
  return answer.trim() === word;
}
