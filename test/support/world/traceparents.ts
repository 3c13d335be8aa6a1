import { randomBytes } from 'node:crypto';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

/** What is no traceparent of version 00 (https://www.w3.org/TR/trace-context-1/#traceparent-header). */
export const INVALID_TRACEPARENTS: readonly string[] = [
  '',
  'not a trace',
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `01-${TRACE}-${SPAN}-01`,
  `cc-${TRACE}-${SPAN}-01-what-the-future-will-be-like`,
  `0-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN.toUpperCase()}-01`,
  `00-${TRACE.slice(1)}-${SPAN}-01`,
  `00-${TRACE}0-${SPAN}-01`,
  `00-${TRACE}-${SPAN.slice(1)}-01`,
  `00-${TRACE}-${SPAN}-1`,
  `00-${TRACE}-${SPAN}-0x`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `00-${TRACE}-${SPAN}-01.`,
  `00_${TRACE}_${SPAN}_01`,
  `00-${TRACE.replace('0', 'g')}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
];

/** A trace that no other test has. */
export function newTraceparent(flags = '01') {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}
