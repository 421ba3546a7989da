import { createHash } from 'node:crypto';
import type { Context } from 'koa';

/**
 * Gives a JSON body an ETag, and turns the response into a 304 if the client has that version. The tag is weak, because
 * the body may be compressed later, and a strong one would have to differ for each coding (RFC 9110, 8.8.1).
 */
export function tagJson(ctx: Context): void {
  const json = JSON.stringify(ctx.body);
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 22);
  ctx.body = json;
  ctx.set('ETag', `W/"${hash}"`);
  if (isUnchanged(ctx)) ctx.status = 304;
}

/**
 * True when `If-None-Match` names the response's own ETag, by the weak comparison of RFC 9110. Koa's `ctx.fresh` also
 * looks at `Cache-Control: no-cache`, which every `fetch` sends beside `If-None-Match`: so it would never be true there.
 */
export function isUnchanged(ctx: Context): boolean {
  const wanted = ctx.get('if-none-match');
  if (wanted === '') return false;
  if (wanted.trim() === '*') return true;
  const own = opaque(ctx.response.get('etag'));
  // No ETag of ours holds a comma.
  return wanted.split(',').some((tag) => opaque(tag) === own);
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
