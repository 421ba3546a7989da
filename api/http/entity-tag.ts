import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { badRequest, type CurrentRevision, RequestError } from './errors.js';

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

const TAGS = /^(?:W\/)?"[\x21\x23-\x7e]{0,100}"(?:[ \t]*,[ \t]*(?:W\/)?"[\x21\x23-\x7e]{0,100}")*$/;

/**
 * Returns whether `If-Match` allows a revision to be replaced, as a function of that revision. Without the header, any may
 * be. `*` means any that exists, and revision 0 does not exist. `W/` is ignored, because a proxy that compresses responses
 * adds it to their tags; a revision identifies what was read all the same.
 * @throws RequestError 400 for a header that does not have the form of RFC 9110
 */
export function readIfMatch(ctx: Context): (revision: number) => boolean {
  const isNamed = readTags(ctx, revisionOf);
  return (revision) => isNamed(String(revision));
}

/** Does the same for what has no revision but its tag: null if it does not exist, which the tag `"0"` names. */
export function readIfMatchTag(ctx: Context): (tag: string | null) => boolean {
  const isNamed = readTags(ctx, textOf);
  return (tag) => isNamed(tag ?? '0');
}

function readTags(ctx: Context, read: (tag: string) => string): (name: string) => boolean {
  if (ctx.headers['if-match'] === undefined) return () => true;
  const header = ctx.get('if-match').trim();
  if (header === '*') return (name) => name !== '0';
  if (header.length > 1_000 || !TAGS.test(header)) throw invalidHeader();
  const names = new Set(header.split(',').map(read));
  return (name) => names.has(name);
}

const textOf = (tag: string): string => tag.trim().replace(/^W\//, '').slice(1, -1);

/** Returns the revision in an ETag: `"7"`, or `"7.…"` if the tag also identifies what was returned. */
const revisionOf = (tag: string): string => textOf(tag).replace(/\..*/s, '');

const invalidHeader = (): RequestError =>
  badRequest(
    'invalid_if_match',
    'Invalid `If-Match`: must be `*`, or the `ETag` of an earlier response such as `"7"`.',
  );

/**
 * @param what the resource that somebody else has changed
 * @param tag its ETag, if that is not its revision
 */
export function preconditionFailed(
  what: string,
  { revision, savedBy }: CurrentRevision,
  tag = String(revision),
): RequestError {
  const current = { revision, savedBy };
  const by = current.savedBy ? ` by the key ${JSON.stringify(current.savedBy.name)}` : '';
  const state =
    current.revision === 0
      ? `The ${what} does not exist yet`
      : `The ${what} is now at revision ${current.revision}, saved${by}`;
  return new RequestError(
    412,
    'precondition_failed',
    `${state}. \`If-Match\` names another revision. Nothing was changed. Read it again, and repeat your change on it.`,
    { current, headers: { ETag: `"${tag}"` } },
  );
}

/**
 * Sends the ETag of a revision with the body. It is strong, so that `If-Match` can use it, and therefore the body is not
 * compressed: one tag must not identify two encodings (RFC 9110 §8.8.1).
 */
export function tagRevision(ctx: Context, tag: string): void {
  ctx.set('ETag', `"${tag}"`);
  ctx.compress = false;
}
