import { unpack } from '../../../shared/store/table/packed.ts';
import { formatTraceHeaders, unpackTrace } from '../../../shared/telemetry/trace-context.ts';

export type StoredItem = Readonly<Record<string, unknown>>;

/** An item whose packed texts are texts, and whose `data` is fields beside its attributes, or a list. */
export function openedItem(item: StoredItem): Record<string, unknown> {
  const { data, ...texts } = Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? textOf(name, value) : value,
    ]),
  );
  if (data === undefined) {
    return texts;
  }
  // The event log has a line for each event.
  const parts = String(data)
    .split('\n')
    .flatMap((line) => JSON.parse(line));
  return { ...(parts.length === 1 ? parts[0] : { parts }), ...texts };
}

/** A trace as a header names it, packed text, or bytes that a test has put there. */
function textOf(name: string, bytes: Uint8Array): string {
  const trace = name === 'trace' ? unpackTrace(bytes) : null;
  if (trace !== null) {
    return formatTraceHeaders(trace).traceparent;
  }
  try {
    return unpack(bytes);
  } catch {
    return JSON.stringify({ broken: Buffer.from(bytes).toString() });
  }
}
