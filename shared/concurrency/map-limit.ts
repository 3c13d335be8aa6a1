import { Semaphore } from './semaphore.ts';

/**
 * Maps inputs with at most `atOnce` concurrent calls of `act`, and keeps their order. Thousands of concurrent calls to
 * the store would delay every other call of the process.
 * @throws the first error, once the running calls have ended; no call starts after it
 */
export async function mapLimit<Input, Result>(
  atOnce: number,
  inputs: readonly Input[],
  act: (input: Input) => Promise<Result>,
): Promise<Result[]> {
  const semaphore = new Semaphore(atOnce);
  const errors: unknown[] = [];
  const actOn = async (input: Input): Promise<Result[]> => {
    try {
      return errors.length === 0 ? [await act(input)] : [];
    } catch (error) {
      errors.push(error);
      return [];
    }
  };
  const results = await Promise.all(inputs.map((input) => semaphore.run(() => actOn(input))));
  if (errors.length > 0) {
    throw errors[0];
  }
  return results.flat() as Result[];
}
