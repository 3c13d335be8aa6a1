const COUNTED = [
  'jobsRun',
  'jobsParked',
  'paymentsExpired',
  'refundsApproved',
  'simulationsApplied',
  'deliveriesAttempted',
  'deliveriesExhausted',
] as const;

/** The counts of a run of jobs. */
export type RunCounts = Readonly<Record<(typeof COUNTED)[number], number>>;

/** The limits and settings of a run. */
export interface RunnerLimits {
  /** The base URL of this service, for the addresses of sinks. */
  readonly baseUrl: string;
  /** How long the run may take, in real time. */
  readonly timeMs: number;
  /** Called after every commit. */
  readonly onDone?: (counts: RunCounts) => void;
}

export const NO_COUNTS = countsOf(() => 0);

export function addRunCounts(one: RunCounts, other: RunCounts): RunCounts {
  return countsOf((name) => one[name] + other[name]);
}

function countsOf(count: (name: keyof RunCounts) => number): RunCounts {
  return Object.fromEntries(COUNTED.map((name) => [name, count(name)])) as RunCounts;
}
