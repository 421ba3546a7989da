import type { Attributes, Context, Link, Span, Tracer } from '@opentelemetry/api';

/*
 * Spans of traces. Names and attributes contain only what Muster itself makes: route patterns, names of queues and tables, ids of
 * jobs, counts. Never a URL, a header, a payload, or the message of an error.
 */

type Api = typeof import('@opentelemetry/api');

/** OpenTelemetry's interface, which is loaded only while tracing is on, and Muster's tracer. */
let tracing:
  | (Pick<Api, 'context' | 'propagation' | 'trace' | 'ROOT_CONTEXT' | 'SpanKind' | 'SpanStatusCode'> & {
      tracer: Tracer;
    })
  | null = null;

/** Starts to make spans. `start.ts` calls it once the SDK is set up. */
export function enableTracing(api: Api): void {
  tracing = { ...api, tracer: api.trace.getTracer('muster') };
}

/** Whether spans are made. Everything below does nothing, at the cost of one comparison, while this is false. */
export const isTracing = (): boolean => tracing !== null;

export interface SpanOptions {
  /** Default: work within the process. */
  kind?: 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER';
  attributes?: Attributes;
  /** The context that the span belongs to. Default: the current one. */
  parent?: Context | undefined;
  links?: Link[];
}

/** Starts a span. The caller ends it. Returns null while tracing is off. */
export function startSpan(name: string, { parent, kind, ...options }: SpanOptions = {}): Span | null {
  if (tracing === null) return null;
  const { tracer, context, SpanKind } = tracing;
  return tracer.startSpan(
    name,
    { ...options, kind: SpanKind[kind ?? 'INTERNAL'] },
    parent ?? context.active(),
  );
}

/** Does work within a span, which ends with it. An error is recorded by its name or code only. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, options);
  if (tracing === null || span === null) return work(null);
  const { context, trace } = tracing;
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
export function failSpan(span: Span | null, error: unknown): void {
  if (tracing === null || span === null) return;
  const thrown: { name?: string; code?: unknown } = typeof error === 'object' && error !== null ? error : {};
  const { name = typeof error, code } = thrown;
  span.setAttribute('error.type', typeof code === 'string' ? code : name);
  span.setStatus({ code: tracing.SpanStatusCode.ERROR });
}

/** Adds attributes to the current span, if there is one. */
export function annotate(attributes: Attributes): void {
  tracing?.trace.getActiveSpan()?.setAttributes(attributes);
}

/** Whether the current work is part of a trace that is recorded. */
export const isRecording = (): boolean => tracing?.trace.getActiveSpan()?.isRecording() === true;

/** Returns the current trace and span as a W3C `traceparent`; undefined if the work is not part of a recorded trace. */
export function currentTraceparent(): string | undefined {
  if (tracing === null || !isRecording()) return undefined;
  const carrier: { traceparent?: string } = {};
  tracing.propagation.inject(tracing.context.active(), carrier);
  return carrier.traceparent;
}

/** Returns the context that a `traceparent` names. An invalid one names none: the work then starts a trace of its own. */
export function contextOf(traceparent: unknown): Context | undefined {
  if (tracing === null) return undefined;
  const { propagation, ROOT_CONTEXT } = tracing;
  return typeof traceparent === 'string' ? propagation.extract(ROOT_CONTEXT, { traceparent }) : ROOT_CONTEXT;
}

/** Returns links to the spans that these name. */
export const linksTo = (traceparents: readonly string[]): Link[] =>
  traceparents.flatMap((traceparent) => {
    const named = contextOf(traceparent);
    const span = named && tracing?.trace.getSpanContext(named);
    return span ? [{ context: span }] : [];
  });
