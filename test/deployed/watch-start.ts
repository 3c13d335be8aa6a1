import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 100;

/** Keeps what a target prints. */
export function watchStart(child: ChildProcess, name: string, stop: () => Promise<void>) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  return {
    /** The lines that it has printed and that are complaints. */
    complaints: (isComplaint: (line: string) => boolean) => output.split('\n').filter(isComplaint).join('\n'),
    /** @param ask null until it is ready @throws Error with all that it has printed */
    untilReady: async <State>(withinMs: number, ask: () => Promise<State | null>): Promise<State> => {
      const giveUpAt = Date.now() + withinMs;
      for (let state = await ask(); ; state = await ask()) {
        if (state !== null) {
          return state;
        }
        if (child.exitCode !== null || Date.now() > giveUpAt) {
          await stop();
          throw new Error(`${name} did not start:\n${output}`);
        }
        await sleep(POLL_MS);
      }
    },
  };
}
