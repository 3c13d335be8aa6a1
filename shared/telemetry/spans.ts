import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type ContextManager,
  context,
  createContextKey,
  isSpanContextValid,
  type ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { formatTraceHeaders, newSpanId, newTrace } from './trace-context.ts';

/*
 * The trace of the work under way, and its spans, by OpenTelemetry's API alone. What records spans is the deployment's
 * choice: a layer registers it before a function is loaded. Without it, a span costs an object and is recorded nowhere,
 * and the trace goes on all the same.
 */

const PROBE = createContextKey('probe');

/** The API does not say whether somebody keeps the context of asynchronous work. */
function isContextKept(): boolean {
  return context.with(ROOT_CONTEXT.setValue(PROBE, true), () => context.active().getValue(PROBE) === true);
}

function keepContext(): void {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...given) => storage.run(active, () => work.call(self as never, ...given)),
    bind: (active, target) =>
      typeof target === 'function'
        ? (((...given: unknown[]) => storage.run(active, () => target(...given))) as typeof target)
        : target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
}

if (!isContextKept()) {
  keepContext();
}

const NAME = 'payments';
const tracer = trace.getTracer(NAME);

/** Whether somebody records spans. Until a recorder is registered, the API stands in with a provider that has no tracer. */
function hasRecorder(): boolean {
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>;
  return provider.getDelegateTracer === undefined || provider.getDelegateTracer(NAME) !== undefined;
}

/** What to begin a span with. */
export interface SpanStart extends SpanOptions {
  readonly name: string;
  /** The span that it continues, where that is not the one under way. */
  readonly parent?: SpanContext | null;
  /** The trace that begins with it where there is none. */
  readonly traceId?: string;
}

/** The span of an HTTP request that is sent: without the URL's path, which may hold ids. */
export function clientSpan(method: string, url: string) {
  const attributes = { 'http.request.method': method, 'server.address': URL.parse(url)?.hostname };
  return { name: method, kind: SpanKind.CLIENT, attributes };
}

/** Does work within a span, which ends with it. There is a trace in it, always. */
export function inSpan<Result>(
  { name, parent, traceId, ...options }: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const active = trace.getSpan(context.active());
  if (!parent && active !== undefined && !hasRecorder()) {
    return work(active);
  }
  const around = parent ? trace.setSpanContext(context.active(), parent) : context.active();
  const started = tracer.startSpan(name, options, around);
  const span = isSpanContextValid(started.spanContext()) ? started : trace.wrapSpanContext(newTrace(traceId));
  return context.with(trace.setSpan(around, span), async () => {
    try {
      return await work(span);
    } catch (error) {
      // Without its message, which may quote what was sent.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Does work that belongs to a stored trace; to the one under way where there is none. */
export function inTrace<Result>(stored: SpanContext | null | undefined, work: () => Result): Result {
  return stored ? context.with(trace.setSpanContext(context.active(), stored), work) : work();
}

/** The trace of the work under way; undefined outside of any. */
export function currentTrace(): SpanContext | undefined {
  return trace.getSpanContext(context.active());
}

/** The fields of a log line that say which trace it belongs to. */
export function traceFields(): { readonly trace_id?: string; readonly span_id?: string } {
  const span = trace.getSpan(context.active());
  if (span === undefined) {
    return {};
  }
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, ...(span.isRecording() && { span_id: spanId }) };
}

/** The headers by which a receiver takes the trace up. Each call names a span of its own, recorded or not. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const span = trace.getSpan(context.active());
  const current = span?.spanContext() ?? newTrace();
  return formatTraceHeaders({ ...current, ...(!span?.isRecording() && { spanId: newSpanId() }) });
}
