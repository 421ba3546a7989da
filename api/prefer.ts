import type Koa from 'koa';

/** The longest that a request may ask to wait for its job, in seconds. */
const MAX_WAIT_S = 60;

/**
 * How long a request wants to wait for its job (RFC 7240): `Prefer: wait=N`, up to 60 s, or `respond-async`, not at all.
 * Says in `Preference-Applied` what it followed. Answers milliseconds.
 */
export function preferredWait(ctx: Koa.Context, defaultMs: number): number {
  const preferences = ctx
    .get('prefer')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  if (preferences.includes('respond-async')) {
    ctx.set('Preference-Applied', 'respond-async');
    return 0;
  }
  const wait = preferences.map((part) => /^wait *= *"?(\d{1,9})"?$/.exec(part)?.[1]).find(Boolean);
  if (wait === undefined) return defaultMs;
  const seconds = Math.min(Number(wait), MAX_WAIT_S);
  ctx.set('Preference-Applied', `wait=${seconds}`);
  return seconds * 1_000;
}
