import type Koa from 'koa';

/** The longest that a request may wait for its job or for changes, in seconds. */
const MAX_WAIT_S = 60;

/**
 * Returns how long a request waits for its job or for changes, in milliseconds, according to its `Prefer` header (RFC 7240): `wait=N`
 * waits up to N seconds, 60 at most; `respond-async` alone does not wait; both together wait N seconds and then respond
 * with 202. Sets `Preference-Applied`. Ignores unknown and malformed preferences, as the RFC requires.
 */
export function preferredWait(ctx: Koa.Context, defaultMs: number): number {
  const preferences = parsePrefer(ctx.get('prefer'));
  const async = preferences.has('respond-async');
  const given = preferences.get('wait');
  const wait = given !== undefined && /^\d{1,9}$/.test(given) ? Math.min(Number(given), MAX_WAIT_S) : null;
  if (async) apply(ctx, 'respond-async');
  if (wait !== null) apply(ctx, `wait=${wait}`);
  if (wait !== null) return wait * 1_000;
  return async ? 0 : defaultMs;
}

/** Returns whether a request asks for the primary with `Prefer: read=primary`. If so, sets `Preference-Applied`. */
export function prefersPrimary(ctx: Koa.Context): boolean {
  const prefers = parsePrefer(ctx.get('prefer')).get('read')?.toLowerCase() === 'primary';
  if (prefers) apply(ctx, 'read=primary');
  return prefers;
}

function apply(ctx: Koa.Context, preference: string): void {
  const applied = ctx.response.get('Preference-Applied');
  ctx.set('Preference-Applied', applied ? `${applied}, ${preference}` : preference);
}

/** Longer headers are ignored: no client needs them. */
const MAX_HEADER = 1_000;

/** Match the text between separators. A quoted string may contain separators; one that is not closed extends to the end. */
const PREFERENCES = /(?:[^,"]|"(?:[^"\\]|\\.)*"?)+/g;
const PARTS = /(?:[^;"]|"(?:[^"\\]|\\.)*"?)+/g;

/** Returns the value of each preference by its lower-case name, without parameters. The first of a repeated one counts. */
function parsePrefer(header: string): Map<string, string> {
  const preferences = new Map<string, string>();
  if (header.length > MAX_HEADER) return preferences;
  for (const preference of header.match(PREFERENCES) ?? []) {
    const [own = ''] = preference.match(PARTS) ?? [];
    const [name = '', value = ''] = own.split(/=(.*)/s).map((part) => part.trim());
    const key = name.toLowerCase();
    if (key !== '' && !preferences.has(key)) preferences.set(key, value.replace(/^"(.*)"$/s, '$1'));
  }
  return preferences;
}
