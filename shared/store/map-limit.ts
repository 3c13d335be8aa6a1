/**
 * Does something with each of many things, a few at once, and gives the answers in their order. Thousands of calls of the
 * store at once would time out while they wait for one another.
 * @throws what the first one that failed has thrown, after all of them have ended
 */
export async function mapLimit<Thing, Answer>(
  atOnce: number,
  things: readonly Thing[],
  act: (thing: Thing) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  // Shared: each takes the next one that nobody has.
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
