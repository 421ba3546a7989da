import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { z } from 'zod';
import { badRequest } from './errors.js';

const VERSION = 1;

/** A place in a list that is sorted by a time and an id, newest first. */
export interface TimePlace {
  at: Date;
  id: string;
}

const shape = z.tuple([z.literal(VERSION), z.number().int(), z.uuid(), z.string()]);

/** A cursor behind a place, for the same filters only. It is opaque, and grants nothing. */
export const encodeTimeCursor = ({ at, id }: TimePlace, filters: object): string =>
  Buffer.from(JSON.stringify([VERSION, at.getTime(), id, digest(filters)])).toString('base64url');

/** The place that a cursor stands for; 400 when it is none, or one of other filters. */
export function decodeTimeCursor(text: string, filters: object): TimePlace {
  const place = parse(text);
  if (!place) throw refusal('take nextCursor of a page as it is');
  const [, at, id, of] = place;
  if (of !== digest(filters)) throw refusal('it belongs to a list with other filters');
  return { at: new Date(at), id };
}

/** `Link` to the next page: the same query behind the cursor. */
export function linkNext(ctx: Koa.Context, cursor: string): void {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('cursor', cursor);
  ctx.append('Link', `<${ctx.path}?${parameters}>; rel="next"`);
}

function parse(text: string): z.infer<typeof shape> | null {
  try {
    return shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch {
    return null;
  }
}

/** The same for the same filters in whatever order they were given. */
function digest(filters: object): string {
  const given = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(given)).digest('base64url').slice(0, 12);
}

const refusal = (message: string) =>
  badRequest('invalid_cursor', 'This is no cursor of this list.', [
    { field: 'cursor', code: 'invalid_cursor', message },
  ]);
