import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { contextOf, failSpan, inSpan, isTracing } from '../../workers/tracing/spans.js';

/** Probes and metrics would be most of the traces. */
const UNTRACED = new Set(['/healthz', '/readyz', '/readyz/intake', '/metrics']);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const methodOf = ({ method = '' }: IncomingMessage): string => (METHODS.has(method) ? method : '_OTHER');

/** Makes a span of each request, within the trace that its `traceparent` names. The span has the route's pattern, never the URL. */
export const traceRequests: Middleware = async (ctx, next) => {
  if (!isTracing() || UNTRACED.has(ctx.path)) return next();
  const method = methodOf(ctx.req);
  const options = {
    kind: 'SERVER' as const,
    attributes: { 'http.request.method': method },
    parent: contextOf(ctx.req.headers.traceparent),
  };
  await inSpan(method, options, async (span) => {
    await next();
    const [, route] = (ctx.state.route ?? '').split(' ');
    if (route) span?.updateName(`${method} ${route}`).setAttribute('http.route', route);
    span?.setAttribute('http.response.status_code', ctx.status);
    if (ctx.status >= 500) failSpan(span, { name: String(ctx.status) });
  });
};

/**
 * Makes a span of an event's request. It starts a trace of its own: the sender belongs to somebody else, who must not decide
 * what is traced here.
 * @param route the pattern of the route
 */
export function traceEvent(
  req: IncomingMessage,
  res: ServerResponse,
  route: string,
  respond: () => Promise<void>,
): Promise<void> {
  if (!isTracing()) return respond();
  const method = methodOf(req);
  const attributes = { 'http.request.method': method, 'http.route': route };
  const parent = contextOf(undefined);
  return inSpan(`${method} ${route}`, { kind: 'SERVER' as const, attributes, parent }, async (span) => {
    await respond();
    span?.setAttribute('http.response.status_code', res.statusCode);
    if (res.statusCode >= 500) failSpan(span, { name: String(res.statusCode) });
  });
}
