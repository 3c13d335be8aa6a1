/** A section of the bench: what it measured, and whether that is within its limits. */
export interface Section {
  /** The part of FIGURES.md that shows it, between `<!-- name -->` and `<!-- /name -->`. */
  readonly name: string;
  /** Markdown: tables, and at most a sentence around them. */
  readonly lines: readonly string[];
  /** Each limit that was not kept, in a sentence. */
  readonly failures: readonly string[];
}
