import { SECOND_MS } from '../../shared/domain/clock.ts';
import { outputGone } from './output.ts';
import { END_SIGNALS } from './undo-at-end.ts';

/** How long running work may continue after an interrupt. */
const END_WITHIN_MS = 2 * SECOND_MS;

/** npm forwards a signal that the terminal has already sent: the copy must not arrive while the process is exiting. */
const SENT_ON_WITHIN_MS = 300;

/** The signals that end a command that runs until it is interrupted. */
export interface Interrupt {
  /** Stops starting new work. */
  readonly end: AbortSignal;
  /** Aborts running work. */
  readonly cut: AbortSignal;
}

/** Ends on Ctrl-C and when the terminal closes, however often the signal comes. */
export function untilInterrupted(): Interrupt {
  const [end, cut] = [new AbortController(), new AbortController()];
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      end.abort();
      setTimeout(() => undefined, SENT_ON_WITHIN_MS);
      setTimeout(() => cut.abort(), END_WITHIN_MS).unref();
    });
  }
  return { end: end.signal, cut: cut.signal };
}

/** The signal that ends a command that only prints: it is interrupted, or nobody reads it any more. */
export function whileRead(): AbortSignal {
  return AbortSignal.any([untilInterrupted().end, outputGone]);
}
