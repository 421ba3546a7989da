import { extname } from 'node:path';
import type Router from '@koa/router';
import type Koa from 'koa';
import type { Context } from 'koa';
import { isUnchanged } from '../../http/entity-tag.js';
import { notFound, RequestError } from '../../http/errors.js';
import { chooseCoding } from '../../http/prebuilt.js';
import { type ConsoleFiles, type ConsolePage, readConsole } from './console-files.js';

/** The first path segments of the console's pages. The console itself routes between them. */
const PAGES = [
  'integrations',
  'alerts',
  'events',
  'destinations',
  'identities',
  'tables',
  'jobs',
  'audit',
  'keys',
  'health',
];

/** Everything comes from this server and nothing is inline, so a script in a payload can never run. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves the pages and assets of the console in `folder`. The OpenAPI document does not describe them.
 * @returns a middleware for paths without a route: a browser that opens one gets the console's own page for it, with status 404
 */
export function mountConsole(router: Router, folder: string): Koa.Middleware {
  const files = readUntilFound(() => readConsole(folder));
  const serve = (path: string, send: (ctx: Context, files: ConsoleFiles) => void) =>
    router.get(path, (ctx) => {
      ctx.state.route = `GET ${path}`;
      const built = files();
      if (!built) throw notBuilt();
      send(ctx, built);
      ctx.set('Content-Security-Policy', POLICY);
    });
  for (const path of ['/', '/upload', ...PAGES.map((page) => `/${page}{/*below}`)]) serve(path, sendPage);
  serve('/console/assets/:name', sendAsset);
  serve('/guide/:name', sendGuide);
  return async (ctx, next) => {
    const built = isOpenedInBrowser(ctx) ? files() : null;
    if (!built) return next();
    ctx.status = 404;
    ctx.type = 'html';
    ctx.body = built.page;
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('Content-Security-Policy', POLICY);
  };
}

/** The first path segments of requests from programs, whose errors are JSON. */
const PROGRAMS = /^\/(?:v\d+|api|admin|console)(?:\/|$)/;

const isOpenedInBrowser = (ctx: Context): boolean =>
  ctx.method === 'GET' && !PROGRAMS.test(ctx.path) && ctx.accepts('json', 'html') === 'html';

/** Returns a function that reads again until there is a value: the console may be built after the start. */
function readUntilFound<Value>(read: () => Value | null): () => Value | null {
  let value: Value | null = null;
  return () => {
    value ??= read();
    return value;
  };
}

const notBuilt = (): RequestError =>
  new RequestError(503, 'console_not_built', 'The console is not built. Run npm run build.', {
    headers: { 'Retry-After': '10' },
  });

/** Sends a page: the console's own is the same at every path. Browsers revalidate it each time, because it names assets of the latest build. */
function sendPage(ctx: Context, { page, etag }: ConsolePage): void {
  ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' });
  ctx.status = 200;
  if (isUnchanged(ctx)) ctx.status = 304;
  else {
    ctx.type = 'html';
    ctx.body = page;
  }
}

function sendGuide(ctx: Context, { guide }: ConsoleFiles): void {
  const page = guide.get(ctx.params.name);
  if (!page) throw notFound('page');
  sendPage(ctx, page);
}

/** The name of an asset contains the hash of its content, so its content never changes. */
function sendAsset(ctx: Context, { assets }: ConsoleFiles): void {
  const asset = assets.get(ctx.params.name);
  if (!asset) throw notFound('file');
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  const coding = chooseCoding(ctx, asset);
  ctx.type = extname(ctx.params.name);
  ctx.body = coding ? asset[coding] : asset.plain;
}
