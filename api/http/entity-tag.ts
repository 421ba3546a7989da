import { createHash } from 'node:crypto';
import type { Context } from 'koa';

/**
 * Adds an ETag to a JSON body, and makes the response a 304 if the client has that version. The tag is weak: the body may
 * be compressed later, and a strong tag would have to differ for each content coding (RFC 9110 §8.8.1).
 */
export function tagJson(ctx: Context): void {
  const json = JSON.stringify(ctx.body);
  ctx.body = json;
  ctx.set('ETag', `W/"${hashText(json)}"`);
  if (isUnchanged(ctx)) ctx.status = 304;
}

/** Returns a short hash of a value as JSON, for an ETag. */
export const hashJson = (value: unknown): string => hashText(JSON.stringify(value));

const hashText = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/**
 * Returns whether `If-None-Match` contains the ETag of the response, by the weak comparison of RFC 9110. Koa's `ctx.fresh`
 * also checks `Cache-Control: no-cache`, which every `fetch` sends with `If-None-Match`, so it would never be true.
 */
export function isUnchanged(ctx: Context): boolean {
  const wanted = ctx.get('if-none-match');
  if (wanted === '') return false;
  if (wanted.trim() === '*') return true;
  const own = opaque(ctx.response.get('etag'));
  // Our ETags contain no commas.
  return wanted.split(',').some((tag) => opaque(tag) === own);
}

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');
