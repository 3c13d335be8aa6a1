/**
 * Maps things with at most `atOnce` calls of `act` at the same time, and keeps their order. Thousands of calls to
 * the store at once would keep every other call of the process waiting.
 * @throws the first worker's error, after all workers have ended
 */
export async function mapLimit<Thing, Answer>(
  atOnce: number,
  things: readonly Thing[],
  act: (thing: Thing) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  // One iterator for all workers: each takes the next thing.
  const queue = things.entries();
  const work = async () => {
    for (const [place, thing] of queue) {
      answers[place] = await act(thing);
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: atOnce }, work));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) {
    throw failed.reason;
  }
  return answers;
}
