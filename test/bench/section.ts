/** What was measured, by a name that stays: `life.write_units`. */
export type Figures = Readonly<Record<string, number>>;

/** A section of the bench: what it measured, and what of it is wrong. */
export interface Section {
  /** Markdown for its part of FIGURES.md: tables, and at most a sentence around them. */
  readonly lines: readonly string[];
  /** `limits.ts` says which of them have a limit; one that has and is not here was not kept. */
  readonly figures: Figures;
  /** In a sentence each: what must hold for the figures to be true. */
  readonly failures: readonly string[];
}
