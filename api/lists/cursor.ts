import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { z } from 'zod';
import { badRequest } from '../http/errors.js';

const VERSION = 2;
const cursorSchema = z.tuple([z.literal(VERSION), z.string(), z.array(z.unknown())]);

/**
 * Encodes where a list continues: a version, a hash of the list, and the values that the last row of a page is sorted by.
 * A cursor grants nothing, so it is not signed.
 *
 * @param ctx the request, whose path is a part of the list's identity: two lists may take the same filters
 * @param list everything else that decides which rows the list holds and in which order
 */
export function encodeCursor(
  ctx: Koa.Context,
  list: unknown,
  place: readonly (string | number | Date)[],
): string {
  return Buffer.from(JSON.stringify([VERSION, hashOf(ctx, list), place])).toString('base64url');
}

/** Returns the place that a cursor of this list names. @throws 400 `invalid_cursor` if it is malformed or another list's */
export function decodeCursor<Place extends z.ZodType>(
  ctx: Koa.Context,
  list: unknown,
  text: string,
  place: Place,
): z.infer<Place> {
  const parsed = cursorSchema.safeParse(parse(text));
  if (!parsed.success) throw invalidCursor(MALFORMED);
  const [, hash, values] = parsed.data;
  if (hash !== hashOf(ctx, list))
    throw invalidCursor('belongs to a different list, filter or sort order; start again without a cursor');
  const result = place.safeParse(values);
  if (!result.success) throw invalidCursor(MALFORMED);
  return result.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

const MALFORMED = 'must be the unchanged nextCursor of a page';

const hashOf = ({ path }: Koa.Context, list: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([path, list]))
    .digest('base64url')
    .slice(0, 11);

const invalidCursor = (message: string) =>
  badRequest('invalid_cursor', `Invalid \`cursor\`: it ${message}.`, [
    { field: 'cursor', code: 'invalid_cursor', message },
  ]);
