import { constants } from 'node:os';

/** How long the undoing may take when the process is interrupted. */
const UNDO_WITHIN_MS = 10_000;
/** By a user, by another program, and by a terminal that closes. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const pending = new Set<() => Promise<void>>();
let interrupted: Promise<void> | undefined;

/**
 * Undoes something when this process is interrupted, and then ends it with the exit code of the signal. Where nothing
 * is left to undo, a signal ends the process at once.
 * @param undo must bear being called before what it undoes is there
 * @returns undoes it now, and once only. Where the process is interrupted, what it returns stays pending: the work that
 *   was undone must not go on to its verdict
 */
export function undoAtEnd(undo: () => Promise<void>): () => Promise<void> {
  if (pending.size === 0) {
    for (const signal of END_SIGNALS) {
      process.on(signal, interrupt);
    }
  }
  let undoing: Promise<void> | undefined;
  const once = () => (undoing ??= undo().finally(() => forget(once)));
  pending.add(once);
  return async () => {
    await once();
    await unlessInterrupted();
  };
}

/** Never resolves once the process is interrupted: what else happens in it has no say in how it ends. */
export async function unlessInterrupted(): Promise<void> {
  if (interrupted !== undefined) {
    await new Promise<never>(() => undefined);
  }
}

function forget(once: () => Promise<void>): void {
  pending.delete(once);
  if (pending.size === 0 && interrupted === undefined) {
    for (const signal of END_SIGNALS) {
      process.off(signal, interrupt);
    }
  }
}

/** A second signal changes nothing: npm sends on what the terminal has sent already. */
function interrupt(signal: NodeJS.Signals): void {
  interrupted ??= undoAll().finally(() => process.exit(128 + constants.signals[signal]));
}

async function undoAll(): Promise<void> {
  const late = Promise.withResolvers<void>();
  setTimeout(late.resolve, UNDO_WITHIN_MS);
  await Promise.race([Promise.allSettled([...pending].map((undo) => undo())), late.promise]);
}
