import { Metrics } from '@aws-lambda-powertools/metrics';
import { METRICS, METRICS_NAMESPACE, type MetricName } from './metrics.ts';

const metrics = new Metrics({ namespace: METRICS_NAMESPACE });

/** Writes one log line that CloudWatch reads as metrics. Only for workers: requests should not load this code. */
export function report(values: Readonly<Partial<Record<MetricName, number>>>): void {
  for (const [name, value] of Object.entries(values)) {
    metrics.addMetric(name, METRICS[name as MetricName], value);
  }
  metrics.publishStoredMetrics();
}
