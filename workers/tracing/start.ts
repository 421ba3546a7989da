import type { Logger } from 'pino';
import { observeStatements } from '../../db/client/observe-statements.js';
import { enableTracing } from './spans.js';
import { statementSpans } from './statements.js';

/** What the collector has not taken by then is lost: a shutdown does not wait longer for it. */
const FLUSH_WITHIN_MS = 2_000;
/** The exporter reports each failed request. One line a minute is enough. */
const LOG_EVERY_MS = 60_000;

type Protocol = 'http/protobuf' | 'http/json';
const PROTOCOLS: readonly Protocol[] = ['http/protobuf', 'http/json'];

interface Options {
  /** The service's name, unless OTEL_SERVICE_NAME is set. */
  service: string;
  /** The tables whose names may appear in traces. */
  tables: readonly string[];
  env: NodeJS.ProcessEnv;
  log: Logger;
}

/**
 * Starts tracing if the standard variables of OpenTelemetry ask for it, before the process opens its first connection. The SDK
 * is loaded only then: it takes 10 MB.
 * @returns a function that sends what is left, within 2 s
 */
export async function startTracing({ service, tables, env, log }: Options): Promise<() => Promise<void>> {
  const protocol = protocolOf(env, log);
  if (protocol === null) return async () => {};
  const [api, { AsyncLocalStorageContextManager }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/context-async-hooks'),
  ]);
  const [
    { W3CTraceContextPropagator },
    { BasicTracerProvider, BatchSpanProcessor },
    resources,
    { OTLPTraceExporter },
  ] = await Promise.all([
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    exporterOf(protocol),
  ]);
  const { context, diag, DiagLogLevel, propagation, trace } = api;
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = resources;
  diag.setLogger(quietLogger(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  enableTracing(api);
  observeStatements(statementSpans(tables));
  log.info({ protocol }, 'traces are sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT');
  return () => within(FLUSH_WITHIN_MS, provider.shutdown());
}

/** Returns how to send traces, or null if the environment does not ask for it, or for something that is not supported. */
function protocolOf(env: NodeJS.ProcessEnv, log: Logger): Protocol | null {
  const exporter = env.OTEL_TRACES_EXPORTER || (hasEndpoint(env) ? 'otlp' : 'none');
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || exporter === 'none') return null;
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/protobuf';
  const known = PROTOCOLS.find((one) => one === protocol);
  if (exporter === 'otlp' && known) return known;
  log.warn(
    'tracing is off: OTEL_TRACES_EXPORTER must be otlp or none, and OTEL_EXPORTER_OTLP_PROTOCOL http/protobuf or http/json',
  );
  return null;
}

const hasEndpoint = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);

const exporterOf = (protocol: Protocol) =>
  protocol === 'http/json'
    ? import('@opentelemetry/exporter-trace-otlp-http')
    : import('@opentelemetry/exporter-trace-otlp-proto');

/** Logs that traces cannot be sent, without the error's text, which contains the response of the collector. */
function quietLogger(log: Logger) {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const report = (): void => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    log.warn('traces are lost: the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take them');
  };
  const ignore = (): void => {};
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => {}), late]);
  clearTimeout(timer);
}
