import { randomBytes } from 'node:crypto';
import {
  createTraceState,
  isSpanContextValid,
  type SpanContext,
  TraceFlags,
  type TraceState,
} from '@opentelemetry/api';

/*
 * W3C Trace Context, level 1 (https://www.w3.org/TR/trace-context-1/): how a trace goes from one program to the next.
 * A trace that cannot be read is as one that was not sent: it never refuses a request (contract §3).
 */

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const AMAZON_ROOT = /^1-([0-9a-f]{8})-([0-9a-f]{24})$/;
const AMAZON_PARENT = /^[0-9a-f]{16}$/;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;

/** Reads the lines of the headers `traceparent` and `tracestate`; null where the first is missing or invalid. */
export function parseTraceHeaders(
  traceparent: readonly string[],
  tracestate: readonly string[] = [],
): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent[0] ?? '') ?? [];
  // Two lines name two parents, and neither can be told from the other.
  if (traceparent.length !== 1) {
    return null;
  }
  return remoteParent(traceId, spanId, Number.parseInt(flags, 16), parseTraceState(tracestate));
}

/** The trace that API Gateway gives a request (`X-Amzn-Trace-Id`), or null. */
export function parseAmazonTrace(lines: readonly string[]): SpanContext | null {
  const fields = new Map((lines[0] ?? '').split(';').map((field) => toPair(field.trim())));
  const [, seconds = '', random = ''] = AMAZON_ROOT.exec(fields.get('Root') ?? '') ?? [];
  const parent = fields.get('Parent') ?? '';
  const spanId = AMAZON_PARENT.test(parent) ? parent : newSpanId();
  const flags = fields.get('Sampled') === '1' ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return lines.length === 1 ? remoteParent(seconds + random, spanId, flags) : null;
}

function toPair(field: string): readonly [string, string] {
  const at = field.indexOf('=');
  return [field.slice(0, at), field.slice(at + 1)];
}

/** Only the flag of sampling is passed on: level 1 leaves the others open. */
function remoteParent(
  traceId: string,
  spanId: string,
  flags: number,
  traceState: TraceState | null = null,
): SpanContext | null {
  const traceFlags = flags & TraceFlags.SAMPLED;
  const parent = { traceId, spanId, traceFlags, isRemote: true, ...(traceState && { traceState }) };
  return isSpanContextValid(parent) ? parent : null;
}

/** A list that is too long (512 characters, 32 members), or has a member that is invalid or there twice, is left out. */
function parseTraceState(lines: readonly string[]): TraceState | null {
  const members = lines
    .flatMap((line) => line.split(','))
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
  const given = members.filter((member) => member !== '').join(',');
  const state = createTraceState(given);
  // It leaves out what is not valid.
  return given !== '' && state.serialize() === given ? state : null;
}

/** The headers by which the next program takes a trace up. */
export function formatTraceHeaders({ traceId, spanId, traceFlags, traceState }: SpanContext): {
  readonly traceparent: string;
  readonly tracestate?: string;
} {
  const tracestate = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-${flagsInHex(traceFlags)}`,
    ...(tracestate && { tracestate }),
  };
}

/** A trace without its state, in the 25 bytes in which it is stored. */
export function packTrace({ traceId, spanId, traceFlags }: SpanContext): Uint8Array {
  return Buffer.from(`${traceId}${spanId}${flagsInHex(traceFlags)}`, 'hex');
}

function flagsInHex(flags: number): string {
  return (flags & TraceFlags.SAMPLED).toString(16).padStart(2, '0');
}

/** What `packTrace` has packed, or null. */
export function unpackTrace(bytes: Uint8Array, tracestate?: string): SpanContext | null {
  const hex = Buffer.from(bytes).toString('hex');
  const spanAt = 2 * TRACE_ID_BYTES;
  const flagsAt = spanAt + 2 * SPAN_ID_BYTES;
  const state = tracestate === undefined ? null : parseTraceState([tracestate]);
  const flags = Number.parseInt(hex.slice(flagsAt), 16);
  return remoteParent(hex.slice(0, spanAt), hex.slice(spanAt, flagsAt), flags, state);
}

/** A trace that begins here, which nobody records. */
export function newTrace(traceId = randomBytes(TRACE_ID_BYTES).toString('hex')): SpanContext {
  return { traceId, spanId: newSpanId(), traceFlags: TraceFlags.NONE };
}

export function newSpanId(): string {
  return randomBytes(SPAN_ID_BYTES).toString('hex');
}
