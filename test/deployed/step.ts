/** Does one step of a run, and prints what it is and how long it took. */
export async function step<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  console.log(`${what} …`);
  const result = await act();
  console.log(`  done in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  return result;
}
