import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import type { Context } from 'aws-lambda';
import { readVariable } from '../environment/variables.ts';
import { traceFields } from './spans.ts';

/** Powertools' fields, without those that the name of the function says already, and the trace of the work under way. */
class TracedFormatter extends LogFormatter {
  override formatAttributes(given: UnformattedAttributes, more: LogAttributes): LogItem {
    const { logLevel, message, timestamp, serviceName, lambdaContext, xRayTraceId } = given;
    const attributes = {
      level: logLevel,
      message,
      timestamp: this.formatTimestamp(timestamp),
      service: serviceName,
      cold_start: lambdaContext?.coldStart,
      function_name: lambdaContext?.functionName,
      function_request_id: lambdaContext?.awsRequestId,
      xray_trace_id: xRayTraceId,
      ...traceFields(),
    };
    return new LogItem({ attributes }).addAttributes(more);
  }
}

/**
 * Structured logs. One process serves many requests at once (the local host), so fields are passed with each line, or
 * come from the trace under way. Never log a key, a secret, a body or anything about a customer. `service` is the
 * stack, for what is counted in the log.
 */
export const log = new Logger({
  serviceName: readVariable('serviceName') ?? 'payments',
  logFormatter: new TracedFormatter(),
});

/** Names the invocation in the lines that follow: on Lambda alone, where a process has one at a time. */
export function noteInvocation(context: Context): void {
  if (readVariable('lambdaName') !== undefined) {
    log.addContext(context);
  }
}

const STACK_LINES_MAX = 12;

type OfAws = Error & { readonly $metadata?: { readonly requestId?: string; readonly attempts?: number } };

/**
 * An error without its message, which may quote what was sent: its name, stack and causes; of one of AWS, the id by which
 * AWS finds the request, and how often it was sent.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { name: typeof error };
  }
  const { requestId, attempts } = (error as OfAws).$metadata ?? {};
  const lines = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return {
    name: error.name,
    ...(requestId !== undefined && { aws_request_id: requestId }),
    ...(attempts !== undefined && { attempts }),
    stack: lines.slice(0, STACK_LINES_MAX).map((line) => inSource(line.trim())),
    ...(error.cause instanceof Error && { cause: describeError(error.cause) }),
  };
}

/**
 * A line of a trace, with the line in the source where a bundle has a map beside it. Node would do so by itself
 * (`--enable-source-maps`), but it reads the map at every start, which takes a fifth of a start. Here the map is read
 * at the first error.
 */
function inSource(line: string): string {
  const [, file = '', row, column] = /([^\s(]+):(\d+):(\d+)\)?$/.exec(line) ?? [];
  const origin = mapOf(file)?.findOrigin(Number(row), Number(column));
  if (origin === undefined || !('fileName' in origin)) {
    return line;
  }
  const { fileName, lineNumber, columnNumber } = origin;
  return `at ${fileName.replace(/^(\.\.\/)+/, '')}:${lineNumber}:${columnNumber}`;
}

const maps = new Map<string, SourceMap | null>();

function mapOf(file: string): SourceMap | null {
  let map = maps.get(file);
  if (map === undefined) {
    map = readMap(file);
    maps.set(file, map);
  }
  return map;
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
