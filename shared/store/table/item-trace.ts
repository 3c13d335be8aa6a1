import type { SpanContext } from '@opentelemetry/api';
import { currentTrace } from '../../telemetry/spans.ts';
import { formatTraceHeaders, packTrace, unpackTrace } from '../../telemetry/trace-context.ts';
import type { StoredItem } from './item.ts';

/*
 * An item that waits carries the trace of what wrote it, in 30 bytes with its name: whoever works on it goes on in that
 * trace. The state of a trace is the callers' own text. It waits with the item, and is gone with it.
 */

/** The attributes of an item that waits: by default, with the trace under way. */
export function traceAttributes(trace: SpanContext | null = currentTrace() ?? null): StoredItem {
  if (trace === null) {
    return {};
  }
  const { tracestate } = formatTraceHeaders(trace);
  return { trace: packTrace(trace), ...(tracestate !== undefined && { tracestate }) };
}

/** The trace that an item carries, or null. */
export function traceOf({ trace, tracestate }: StoredItem): SpanContext | null {
  return trace === undefined
    ? null
    : unpackTrace(trace as Uint8Array, tracestate === undefined ? undefined : String(tracestate));
}
