import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { z } from 'zod';
import { badRequest } from '../http/errors.js';

const VERSION = 2;
const cursorSchema = z.tuple([z.literal(VERSION), z.string(), z.array(z.unknown())]);

/** The values that a list is sorted by, of one row. */
export type CursorValues = readonly (string | number | Date)[];

/**
 * Encodes the position after which a list continues: a version, a hash of the list, and the values that the last row of
 * the page is sorted by. A cursor grants no access, so it is not signed.
 *
 * @param ctx the request; its path is part of the list's identity, because two lists may have the same filters
 * @param list everything else that decides which rows the list holds, and their order
 */
export function encodeCursor(ctx: Koa.Context, list: unknown, values: CursorValues): string {
  return Buffer.from(JSON.stringify([VERSION, hashOf(ctx, list), values])).toString('base64url');
}

/**
 * Returns the position that a cursor encodes.
 * @throws RequestError 400 `invalid_cursor` if the cursor is malformed or belongs to a different list
 */
export function decodeCursor<Position>(
  ctx: Koa.Context,
  list: unknown,
  cursor: string,
  position: z.ZodType<Position>,
): Position {
  if (cursor.includes(' ')) throw invalidCursor(`${MALFORMED} If it contains a +, write + as %2B.`);
  const parsed = cursorSchema.safeParse(parse(cursor));
  if (!parsed.success) throw invalidCursor(MALFORMED);
  const [, hash, values] = parsed.data;
  if (hash !== hashOf(ctx, list)) throw invalidCursor(OTHER_LIST);
  const result = position.safeParse(values);
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

const OTHER_LIST = 'it belongs to a different list or filter. Start again without a cursor.';
const MALFORMED = 'it must be the unchanged `nextCursor` of a page. Start again without a cursor.';

const hashOf = ({ path }: Koa.Context, list: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([path, list]))
    .digest('base64url')
    .slice(0, 11);

const invalidCursor = (message: string) =>
  badRequest('invalid_cursor', `Invalid \`cursor\`: ${message}`, [
    { field: 'cursor', code: 'invalid_cursor', message },
  ]);
