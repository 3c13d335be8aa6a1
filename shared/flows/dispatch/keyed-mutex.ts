/** Work that is done in turn, by name; each turn learns what the one before it has noted, if it followed at once. */
export class KeyedMutex<Note> {
  readonly #last = new Map<string, Promise<Note | null>>();

  /** @param work is given what the turn before has noted; null: nothing is known, or it has failed */
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
