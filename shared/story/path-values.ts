/** The values of parameters, by their names. */
export type PathValues = Readonly<Record<string, string>>;

/** The names of the parameters in a path such as `/api/v1/refunds/{id}`. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/**
 * Fills the parameters of a path with known ids, but never over text that the user has typed. What was filled before
 * stays while it still belongs to the others.
 * @param suggest the ids that fit a parameter beside the values of others, the best first
 */
export function fillPath(
  names: readonly string[],
  typed: PathValues,
  filled: PathValues,
  suggest: (name: string, others: readonly string[]) => readonly string[],
): PathValues {
  const chosen: Record<string, string> = {};
  for (const name of names) {
    const others = names.filter((each) => each !== name).map((each) => typed[each] ?? chosen[each] ?? '');
    const ids = suggest(
      name,
      others.filter((value) => value !== ''),
    );
    const before = filled[name];
    chosen[name] = before !== undefined && ids.includes(before) ? before : (ids[0] ?? '');
  }
  return chosen;
}
