/** Longer than any turn takes, in real time: calls to the store end before. */
const TURN_MAX_MS = 10_000;

/**
 * Work that is done in turn, by name; each turn learns what the one before it has noted, if it followed at once. Turns
 * save work, and guard nothing: one that does not end is not waited for by who comes long after it.
 */
export class Turns<Note> {
  readonly #last = new Map<string, { readonly takenAtMs: number; readonly noted: Promise<Note | null> }>();

  /** @param work is given what the turn before has noted; null: nothing is known, or it has failed */
  take<Result>(
    name: string,
    work: (noted: Note | null) => Promise<{ readonly next: Note | null; readonly result: Result }>,
  ): Promise<Result> {
    const takenAtMs = Date.now();
    const last = this.#last.get(name);
    const isStuck = last !== undefined && takenAtMs - last.takenAtMs > TURN_MAX_MS;
    const turn = Promise.resolve(isStuck ? null : (last?.noted ?? null)).then(work);
    const noted: Promise<Note | null> = turn
      .then(
        ({ next }) => next,
        () => null,
      )
      .finally(() => {
        if (this.#last.get(name)?.noted === noted) {
          this.#last.delete(name);
        }
      });
    this.#last.set(name, { takenAtMs, noted });
    return turn.then(({ result }) => result);
  }
}
