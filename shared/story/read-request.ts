export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** How often a read is repeated while it is shown: every few seconds, every now and then, or only after a change. */
export type Pace = 'lively' | 'calm' | 'steady';

/** A read of the service, which several parts of the page may show at once. */
export interface ReadRequest extends CallInput {
  readonly operationId: string;
  /** Default: lively. */
  readonly pace?: Pace;
}
