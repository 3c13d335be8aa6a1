import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { RunningHost } from '../local/host.ts';
import { foreignEnvironment } from '../machine/compile-cache.ts';
import { complain } from '../terminal/output.ts';
import { END_SIGNALS } from '../terminal/undo-at-end.ts';

const NOT_FOUND = 127;
const NOT_RUN = 126;

/**
 * Runs a command beside a service of this process, which ends with the command. The command finds it by `PG_BASE_URL` and
 * `PG_KEY`.
 * @returns its exit code, as a shell has it: 128 and the number of the signal that ended it; 127 where there is no such
 *   program
 */
export async function runBeside(
  { service: { baseUrl, key }, lost, end }: RunningHost,
  [program = '', ...args]: readonly string[],
): Promise<number> {
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...foreignEnvironment(), PG_BASE_URL: baseUrl, PG_KEY: key },
    // Programs of npm are scripts there.
    shell: process.platform === 'win32',
  });
  for (const signal of END_SIGNALS) {
    // What a terminal sends goes to the command, too, and a second Ctrl-C would cut it short.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY ? undefined : child.kill(signal)));
  }
  let isEnding = false;
  lost.then((reason) => {
    // An engine in memory is lost when it is stopped.
    if (!isEnding) {
      complain(`The service ended. ${reason.message}`);
      child.kill();
    }
  });
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    complain(code === 'ENOENT' ? `There is no program "${program}".` : `${program} does not run: ${message}`);
    return code === 'ENOENT' ? NOT_FOUND : NOT_RUN;
  } finally {
    isEnding = true;
    await end();
  }
}
