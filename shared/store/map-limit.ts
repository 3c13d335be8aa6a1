import { Semaphore } from './semaphore.ts';

/**
 * Maps things with at most `atOnce` calls of `act` at the same time, and keeps their order. Thousands of calls to
 * the store at once would keep every other call of the process waiting.
 * @throws the first error, when no call runs any more; after it no further call begins
 */
export async function mapLimit<Thing, Answer>(
  atOnce: number,
  things: readonly Thing[],
  act: (thing: Thing) => Promise<Answer>,
): Promise<Answer[]> {
  const semaphore = new Semaphore(atOnce);
  const errors: unknown[] = [];
  const actOn = async (thing: Thing): Promise<Answer[]> => {
    try {
      return errors.length === 0 ? [await act(thing)] : [];
    } catch (error) {
      errors.push(error);
      return [];
    }
  };
  const answers = await Promise.all(things.map((thing) => semaphore.run(() => actOn(thing))));
  if (errors.length > 0) {
    throw errors[0];
  }
  return answers.flat() as Answer[];
}
