import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const OUTPUT_MAX_BYTES = 64 * 1_024 * 1_024;
const LINES_SHOWN = 60;

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout?: number;
}

/**
 * Runs a command to its end.
 * @returns its output
 * @throws Error with the last lines that it printed, where it failed
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  try {
    return await promisify(execFile)(command, [...args], { maxBuffer: OUTPUT_MAX_BYTES, ...options });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    const printed = `${stdout}\n${stderr}`.trim();
    throw new Error(`${command} ${args.join(' ')} failed:\n${lastLines(printed === '' ? message : printed)}`);
  }
}

export function lastLines(text: string): string {
  return text.split('\n').slice(-LINES_SHOWN).join('\n');
}
