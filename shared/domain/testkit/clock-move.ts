/** One move of a clock. */
export interface ClockMove {
  readonly actionId: string;
  /** The epoch of the world that it was made in. */
  readonly epoch: number;
  /** On the merchant's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly seconds: number;
}
