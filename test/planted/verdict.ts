/** What became of one planted defect. */
export interface Verdict {
  readonly id: string;
  readonly caughtBy: 'nearest' | 'elsewhere' | 'law' | null;
  /** The first test that failed, or the law that was broken with the seed of its story. */
  readonly test: string | null;
  readonly seconds: number;
}
