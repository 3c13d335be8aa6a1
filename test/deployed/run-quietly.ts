import { runCommand } from '../support/tools/run-command.ts';

/** @throws Error with the output of the command, if it failed */
export async function runQuietly(command: string, args: readonly string[]): Promise<string> {
  return (await runCommand(command, args)).stdout;
}
