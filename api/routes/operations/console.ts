import { extname } from 'node:path';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { isUnchanged } from '../../http/entity-tag.js';
import { notFound, RequestError } from '../../http/errors.js';
import { chooseCoding } from '../../http/prebuilt.js';
import { type ConsoleFiles, readConsole } from './console-files.js';

/** What the addresses of the console's pages begin with. The page itself tells which one it is. */
const PAGES = ['integrations', 'alerts', 'events', 'identities', 'jobs', 'keys', 'health'];

/** Everything comes from this server, nothing stands in the page itself: what a payload says can never run. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the console in `folder`, its pages and their parts: for people, so not part of the described interface. */
export function mountConsole(router: Router, folder: string): void {
  const files = rememberOnce(() => readConsole(folder));
  const serve = (path: string, answer: (ctx: Context, files: ConsoleFiles) => void) =>
    router.get(path, (ctx) => {
      ctx.state.route = `GET ${path}`;
      answer(ctx, files() ?? refuseUnbuilt());
      ctx.set('Content-Security-Policy', POLICY);
    });
  for (const path of ['/', ...PAGES.map((page) => `/${page}{/*below}`)]) serve(path, sendPage);
  serve('/console/assets/:name', sendAsset);
}

/** As long as there is nothing to remember it is asked for again: somebody may be building just now. */
function rememberOnce<Value>(read: () => Value | null): () => Value | null {
  let value: Value | null = null;
  return () => {
    value ??= read();
    return value;
  };
}

function refuseUnbuilt(): never {
  throw new RequestError(
    503,
    'console_not_built',
    'The console has not been built here: npm run build does it.',
    {
      headers: { 'Retry-After': '10' },
    },
  );
}

/** The same page at every address. It is asked for anew each time, because it names the parts of the latest build. */
function sendPage(ctx: Context, { page, etag }: ConsoleFiles): void {
  ctx.set({ ETag: etag, 'Cache-Control': 'no-cache' });
  ctx.status = 200;
  if (isUnchanged(ctx)) ctx.status = 304;
  else {
    ctx.type = 'html';
    ctx.body = page;
  }
}

/** A part's name has its content's hash in it, so it never changes. */
function sendAsset(ctx: Context, { assets }: ConsoleFiles): void {
  const asset = assets.get(ctx.params.name);
  if (!asset) throw notFound('file');
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  const coding = chooseCoding(ctx, asset);
  ctx.type = extname(ctx.params.name);
  ctx.body = coding ? asset[coding] : asset.plain;
}
