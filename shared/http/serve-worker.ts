import { SpanKind } from '@opentelemetry/api';
import type { Context } from 'aws-lambda';
import { describeError, log, noteInvocation } from '../telemetry/log.ts';
import { inSpan } from '../telemetry/spans.ts';

/**
 * Makes a Lambda function that events invoke. The runtime prints thrown errors in full, and the store's messages may
 * quote stored data. So the error is logged without its message, and a new error with only its name is thrown.
 */
export function serveWorker<Event>(
  name: string,
  work: (event: Event, context: Context) => Promise<void>,
): (event: Event, context: Context) => Promise<void> {
  return async (event, context) => {
    noteInvocation(context);
    await inSpan({ name, kind: SpanKind.CONSUMER }, async () => {
      try {
        await work(event, context);
      } catch (error) {
        log.error('a worker failed', { worker: name, error: describeError(error) });
        throw new Error(`${name} failed: ${error instanceof Error ? error.name : typeof error}`);
      }
    });
  };
}
