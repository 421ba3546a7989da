import type Koa from 'koa';

/** Adds a `Link` to the next page (RFC 8288): the same address with the cursor, and no longer with a page number. */
export function linkNext(ctx: Koa.Context, cursor: string): void {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.delete('pageIndex');
  parameters.set('cursor', cursor);
  ctx.append('Link', `<${ctx.path}?${parameters}>; rel="next"`);
}
