import { PLACES, type Place } from './write-ledger.ts';

/** So much was written to a partition. */
export interface Partition {
  readonly place: Place;
  readonly pk: string;
  readonly writes: number;
}

const SWEEP_EVERY = 100_000;

/**
 * Counts by partition, in little memory however many there are: of every hundred thousand writes, what is too rare to
 * matter is forgotten, and counted as if it had been there each time before (lossy counting: Manku and Motwani, VLDB 2002).
 * So a count is never too low, and too high by at most a hundred-thousandth of all writes.
 */
export class RunCounts {
  total = 0;
  #sweeps = 0;
  readonly #counts = new Map<Place, Map<string, number>>(PLACES.map((place) => [place, new Map()]));

  add(place: Place, pk: string, count: number): void {
    const counts = this.#counts.get(place);
    counts?.set(pk, (counts.get(pk) ?? this.#sweeps) + count);
    this.total += count;
    if (this.total >= (this.#sweeps + 1) * SWEEP_EVERY) {
      this.#sweep();
    }
  }

  /** Everything that is not forgotten, most written first. */
  hottest(): Partition[] {
    return sorted(
      [...this.#counts].flatMap(([place, counts]) =>
        [...counts].map(([pk, writes]) => ({ place, pk, writes })),
      ),
    );
  }

  #sweep(): void {
    this.#sweeps += 1;
    for (const counts of this.#counts.values()) {
      for (const [pk, writes] of counts) {
        if (writes <= this.#sweeps) {
          counts.delete(pk);
        }
      }
    }
  }
}

/** What several have counted, as if one had. */
export function together(counted: readonly (readonly Partition[])[]): Partition[] {
  const all = Map.groupBy(counted.flat(), ({ place, pk }) => `${place} ${pk}`);
  return sorted(
    [...all.values()].map(([first, ...others]) => ({
      ...(first as Partition),
      writes: others.reduce((sum, { writes }) => sum + writes, first?.writes ?? 0),
    })),
  );
}

function sorted(partitions: readonly Partition[]): Partition[] {
  return partitions.toSorted((a, b) => b.writes - a.writes);
}
