import { cleanLine, jsonText } from './clean-text.ts';

/* Everything that a command prints goes through here. */

const gone = new AbortController();
/** Aborted when nobody reads standard output any more: a command that only prints has nothing left to do. */
export const outputGone: AbortSignal = gone.signal;

let lost: string | null = null;

/** Prints lines. */
export function say(...lines: readonly string[]): void {
  console.log(lines.map(cleanLine).join('\n'));
}

/** Prints lines where errors go. */
export function complain(...lines: readonly string[]): void {
  console.error(lines.map(cleanLine).join('\n'));
}

/** Prints a value as JSON: in many lines, or in one. */
export function sayJson(value: unknown, indent?: number): void {
  console.log(jsonText(value, indent));
}

/**
 * Output that cannot be written ends nothing, and makes nothing a success: the work goes on to its own verdict. A
 * reader that stops early, as `head` does, has seen enough. Lines that were lost otherwise make the exit code 1.
 */
export function outliveOutput(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') {
      gone.abort();
    } else if (lost === null) {
      lost = String(code);
      complain(`Standard output cannot be written: ${lost}.`);
    }
  });
  process.on('exit', (code) => {
    // The event of a failure comes after the write.
    const failed = lost ?? (process.stdout.errored as NodeJS.ErrnoException | null)?.code ?? 'EPIPE';
    if (failed !== 'EPIPE' && code === 0) {
      process.exitCode = 1;
    }
  });
}
