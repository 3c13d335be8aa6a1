/** A status, and when a resource got it, on the merchant's clock. */
interface StatusAt<Status extends string> {
  readonly status: Status;
  readonly atMs: number;
}

/** The statuses of a resource, oldest first (contract §18). */
export interface StatusHistory<Status extends string> {
  readonly statusHistory: readonly StatusAt<Status>[];
}

/** The history with a status at its end; unchanged where the resource has that status already. */
export function historyWith<Status extends string>(
  { statusHistory = [] }: Partial<StatusHistory<Status>>,
  status: Status,
  atMs: number,
): StatusHistory<Status> {
  return {
    statusHistory:
      statusHistory.at(-1)?.status === status ? statusHistory : [...statusHistory, { status, atMs }],
  };
}
