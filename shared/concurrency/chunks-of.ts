/** Splits a list into parts of a size; the last part may be smaller. */
export function chunksOf<One>(size: number, all: readonly One[]): One[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, nth) =>
    all.slice(nth * size, (nth + 1) * size),
  );
}
