import { SECOND_MS } from '../../../shared/domain/clock.ts';

/** How long what is under way may go on when the command is to end. */
const END_WITHIN_MS = 2 * SECOND_MS;

/** npm sends a signal on to a command that has it from the terminal already: it must not meet a process that ends. */
const SENT_ON_WITHIN_MS = 300;

/** How a command that goes on and on is told to end. */
export interface Interrupt {
  /** Nothing new is begun. */
  readonly end: AbortSignal;
  /** What is under way is given up. */
  readonly cut: AbortSignal;
}

/** Ends by Ctrl-C, however often the signal comes. */
export function untilInterrupted(): Interrupt {
  const [end, cut] = [new AbortController(), new AbortController()];
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      end.abort();
      setTimeout(() => undefined, SENT_ON_WITHIN_MS);
      setTimeout(() => cut.abort(), END_WITHIN_MS).unref();
    });
  }
  return { end: end.signal, cut: cut.signal };
}
