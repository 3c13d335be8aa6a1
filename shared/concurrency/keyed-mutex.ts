/** Runs work of the same name one at a time. Work that was already queued gets the note of the work before it. */
export class KeyedMutex<Note> {
  readonly #last = new Map<string, Promise<Note | null>>();

  /** @param work gets the note of the work before it; null: nothing ran directly before it, or that failed */
  take<Result>(
    name: string,
    work: (noted: Note | null) => Promise<{ readonly next: Note | null; readonly result: Result }>,
  ): Promise<Result> {
    const turn = Promise.resolve(this.#last.get(name) ?? null).then(work);
    const noted: Promise<Note | null> = turn
      .then(
        ({ next }) => next,
        () => null,
      )
      .finally(() => {
        if (this.#last.get(name) === noted) {
          this.#last.delete(name);
        }
      });
    this.#last.set(name, noted);
    return turn.then(({ result }) => result);
  }
}
