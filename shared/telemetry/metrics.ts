/*
 * The numbers that the workers report and the alarms look at. One definition, so that no alarm waits for a metric that
 * is never sent.
 */

export const METRICS_NAMESPACE = 'Payments';

/** The dimension of all: the stack that reports. */
export const STACK_DIMENSION = 'service';

/** The field of a line, and the dimension, that names a merchant: only for rare events, since each one is paid for. */
export const MERCHANT_DIMENSION = 'merchant';

/** Every metric with its unit. */
export const METRICS = {
  /** How long the oldest due job has waited, by real time; 0 where none waits. */
  OldestDueJobAge: 'Seconds',
  DueWorlds: 'Count',
  JobsRun: 'Count',
  JobsParked: 'Count',
  DeliveriesExhausted: 'Count',
} as const;
export type MetricName = keyof typeof METRICS;
