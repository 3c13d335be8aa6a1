/*
 * The numbers that the workers report and the alarms look at. One definition, so that no alarm waits for a metric that
 * nobody sends.
 */

export const METRICS_NAMESPACE = 'Payments';

/** The one dimension: the stack that reports. Never a merchant, for each value would be a metric to pay for. */
export const STACK_DIMENSION = 'service';

/** The environment variable that tells a worker its stack: Powertools takes its value for the dimension above. */
export const STACK_VARIABLE = 'POWERTOOLS_SERVICE_NAME';

/** Every metric with its unit. */
export const METRICS = {
  /** How long the job has waited that waits longest, by real time; 0 where none does. */
  OldestDueJobAge: 'Seconds',
  DueWorlds: 'Count',
  JobsRun: 'Count',
  JobsParked: 'Count',
  DeliveriesExhausted: 'Count',
} as const;
export type MetricName = keyof typeof METRICS;
