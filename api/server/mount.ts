import Router from '@koa/router';
import type Koa from 'koa';
import { type Principal, requireScope } from '../access/auth.js';
import { checkLinkRequest, requireOpenToLinks } from '../access/upload-link-rights.js';
import { originOf } from '../audit/request-origin.js';
import { NO_BODY, type Route } from '../endpoint/route.js';
import { contentCoding } from '../http/content-coding.js';
import { isUnchanged, tagJson } from '../http/entity-tag.js';
import { QUERY, summary, toErrorDetails, toQueryErrors } from '../http/error-details.js';
import { badRequest, notFound } from '../http/errors.js';
import { explainPlus, parseQuery } from '../http/parse-query.js';
import { prefersPrimary } from '../http/prefer.js';
import type { IdempotentRequest } from '../idempotency/idempotent-request.js';
import { onlyOnce } from '../idempotency/only-once.js';
import { mountOtherMethods } from '../routes/events/webhook-probe.js';
import { mountConsole } from '../routes/operations/console.js';
import { mountDashboard } from '../routes/operations/dashboard.js';
import { mountRetiredPaths } from '../routes/operations/retired.js';
import type { ApiServices } from '../services.js';

/** Mounts the routes. A request is checked in this order: path, method, key, scope, query; then its handler runs. */
export function mountRoutes(app: Koa, routes: readonly Route[], services: ApiServices): void {
  const router = new Router();
  for (const route of routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [route.method], [describe(route), serve(route, services)]);
  }
  mountOtherMethods(router, services);
  mountRetiredPaths(router);
  const sendUnknownPage = mountConsole(router, services.consoleFolder);
  mountDashboard(router, services);
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.use(sendUnknownPage);
}

function describe(route: Route): Koa.Middleware {
  return async (ctx, next) => {
    ctx.state.route = `${route.method.toUpperCase()} ${route.path}`;
    ctx.state.upload = route.upload ?? false;
    await next();
  };
}

function serve(route: Route, services: ApiServices): Koa.Middleware {
  // A request that only reads may be served by a replica.
  const mayUseReplica =
    route.headers?.includes('Prefer') &&
    route.scopes !== 'public' &&
    (route.method === 'get' || route.scopes.every(isReadScope));
  const servicesFor = (ctx: Koa.Context): ApiServices =>
    mayUseReplica && prefersPrimary(ctx)
      ? { ...services, reading: services.reading.primaryOnly(), exportParams: { readFrom: 'primary' } }
      : services;
  return async (ctx) => {
    // A response to an API key may contain personal data or secrets. A route without either overrides this.
    if (route.scopes !== 'public') ctx.set('Cache-Control', 'no-store');
    const principal = await authorize(ctx, route, services);
    rejectMethodOverride(ctx);
    rejectContentCoding(ctx, route);
    const query = checkQuery(ctx, route);
    const params = checkParams(ctx, route);
    if (principal.uploadLink) checkLinkRequest(route.operationId, query, principal.uploadLink);
    const handle = (once: IdempotentRequest | null) => {
      if (!route.requestBody) once?.bodyRead(NO_BODY);
      const { requestId } = ctx.state;
      const origin = originOf(principal, route.operationId, {
        requestId,
        req: ctx.req,
        settings: services.settings,
      });
      return route.handle({
        ctx,
        query,
        params,
        principal,
        requestId,
        origin,
        once,
        services: servicesFor(ctx),
      });
    };
    if (route.idempotent && ctx.get('idempotency-key')) await onlyOnce(ctx, principal.id, services, handle);
    else await handle(null);
    if (route.etag && ctx.status === 200) {
      if (!ctx.response.get('ETag')) tagJson(ctx);
      else if (isUnchanged(ctx)) ctx.status = 304;
    }
  };
}

const isReadScope = (scope: string): boolean => scope.endsWith(':read');

async function authorize(ctx: Koa.Context, route: Route, { authenticator }: ApiServices): Promise<Principal> {
  if (route.scopes === 'public') return NOBODY;
  const principal = await authenticator.authenticate(ctx.headers.authorization);
  if (principal.uploadLink) requireOpenToLinks(route.operationId);
  else requireScope(principal, route.scopes);
  return principal;
}

/** The principal of public routes, whose handlers must not use it. */
const NOBODY: Principal = { kind: 'key', id: '', name: 'none', scopes: [], expiresAt: null };

/** A client that means another method must not get what this one does. */
function rejectMethodOverride(ctx: Koa.Context): void {
  const name = METHOD_OVERRIDES.find(
    (header) => (ctx.get(header) || ctx.method).toUpperCase() !== ctx.method,
  );
  if (name) throw badRequest('unsupported_header', `Unsupported header \`${name}\`: send the method itself.`);
}

const METHOD_OVERRIDES = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];

function rejectContentCoding(ctx: Koa.Context, route: Route): void {
  contentCoding(ctx.req.headers['content-encoding'], route.upload ? ['gzip'] : []);
}

function checkQuery(ctx: Koa.Context, route: Route): Record<string, unknown> {
  const query = parseQuery(ctx.querystring);
  const result = route.query.safeParse(query);
  const found = result.error ? toQueryErrors(result.error, query, Object.keys(route.query.shape)) : [];
  const errors = explainPlus(ctx.querystring, found);
  if (result.success && errors.length === 0) return result.data;
  throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

function checkParams(ctx: Koa.Context, route: Route): Record<string, unknown> {
  const names = Object.keys(route.params.shape).length > 0;
  if (names && !isEscaped(ctx.path)) throw notFound(nounOf('name', route), 'the path has an invalid escape');
  const result = route.params.safeParse({ ...ctx.params });
  if (result.success) return result.data;
  const [first] = toErrorDetails(result.error);
  throw notFound(nounOf(first?.field, route), first && `\`${first.field}\` ${first.message}`);
}

/** Returns whether each `%` of a path is part of UTF-8. The router takes others as they are, and some names may have them. */
function isEscaped(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns what a path parameter names. */
function nounOf(parameter: string | null | undefined, { tag }: Route): string {
  if (parameter && !['id', 'name'].includes(parameter)) return parameter.replace(/Id$/, '');
  return /^[A-Z]{2}/.test(tag) ? tag : tag.toLowerCase();
}
