import {
  type Attributes,
  type Context,
  context,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/*
 * Spans of traces. Names and attributes contain only what Muster itself makes: route patterns, names of queues and tables, ids of
 * jobs, counts. Never a URL, a header, a payload, or the message of an error.
 */

let tracer: ReturnType<typeof trace.getTracer> | null = null;

/** Starts to make spans. `start.ts` calls it once the SDK is loaded. */
export function enableTracing(): void {
  tracer = trace.getTracer('muster');
}

/** Whether spans are made. Everything below does nothing, at the cost of one comparison, while this is false. */
export const isTracing = (): boolean => tracer !== null;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** The context that the span belongs to. Default: the current one. */
  parent?: Context;
  links?: Link[];
}

/** Starts a span. The caller ends it. Returns null while tracing is off. */
export const startSpan = (name: string, { parent, ...options }: SpanOptions = {}): Span | null =>
  tracer === null ? null : tracer.startSpan(name, options, parent ?? context.active());

/** Does work within a span, which ends with it. An error is recorded by its name only. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  if (span === null) return work(null);
  try {
    return await context.with(trace.setSpan(options.parent ?? context.active(), span), () => work(span));
  } catch (error) {
    failSpan(span, error);
    throw error;
  } finally {
    span.end();
  }
}

/** Marks a span as failed. */
export function failSpan(span: Span, error: unknown): void {
  const { name = typeof error, code } = error as { name?: string; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Adds an attribute to the current span, if there is one. */
export function annotate(attributes: Attributes): void {
  if (tracer !== null) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Whether the current work is part of a trace that is recorded. */
export const isRecording = (): boolean => tracer !== null && trace.getActiveSpan()?.isRecording() === true;

/** Returns the current trace and span as a W3C `traceparent`; undefined if the work is not part of a recorded trace. */
export function currentTraceparent(): string | undefined {
  if (!isRecording()) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** Returns the context that a `traceparent` names. An invalid one names none: the work then starts a trace of its own. */
export const contextOf = (traceparent: unknown): Context =>
  typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;

/** Returns links to the spans that these name. */
export const linksTo = (traceparents: readonly string[]): Link[] =>
  traceparents.flatMap((traceparent) => {
    const named = trace.getSpanContext(contextOf(traceparent));
    return named ? [{ context: named }] : [];
  });

export { SpanKind };
