import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { z } from 'zod';
import { badRequest } from '../http/errors.js';

const VERSION = 2;
const cursorSchema = z.tuple([z.literal(VERSION), z.string(), z.array(z.unknown())]);

/** What a cursor encodes of a place in a list, such as the values that the list is sorted by, of one row. */
export type CursorValues = readonly (string | number | Date | null)[];

/**
 * Encodes the position after which a list continues: a version, a hash of the list, and values. A cursor grants no access, so it is not signed.
 *
 * @param ctx the request; its path is part of the list's identity, because two lists may have the same filters
 * @param list everything else that decides which rows the list holds, and their order
 */
export function encodeCursor(ctx: Koa.Context, list: unknown, values: CursorValues): string {
  return Buffer.from(JSON.stringify([VERSION, hashOf(ctx, list), values])).toString('base64url');
}

interface SentCursor<Position> {
  /** The name of its parameter. */
  parameter: string;
  text: string;
  /** Parses the values, after a round trip through JSON. */
  position: z.ZodType<Position>;
  /** A sentence that says what the client does without it. */
  startOver: string;
}

/**
 * Returns the position that a cursor encodes.
 * @throws RequestError 400 `invalid_cursor` if the cursor is malformed or belongs to a different list
 */
export function decodeCursor<Position>(
  ctx: Koa.Context,
  list: unknown,
  { parameter, text, position, startOver }: SentCursor<Position>,
): Position {
  const invalid = (why: string) => invalidCursor(parameter, `${why}. ${startOver}`);
  if (text.includes(' ')) throw invalid(`${MALFORMED}; if it contains a +, write + as %2B`);
  const parsed = cursorSchema.safeParse(parse(text));
  if (!parsed.success) throw invalid(MALFORMED);
  const [, hash, values] = parsed.data;
  if (hash !== hashOf(ctx, list)) throw invalid(OTHER_LIST);
  const result = position.safeParse(values);
  if (!result.success) throw invalid(MALFORMED);
  return result.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

const OTHER_LIST = 'it belongs to a different list or filter';
const MALFORMED = 'it must be the unchanged `nextCursor` of a page';

const hashOf = ({ path }: Koa.Context, list: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([path, list]))
    .digest('base64url')
    .slice(0, 11);

const invalidCursor = (field: string, message: string) =>
  badRequest('invalid_cursor', `Invalid \`${field}\`: ${message}`, [
    { field, code: 'invalid_cursor', message },
  ]);

/** Adds a `Link` (RFC 8288) to the next page, with the cursor in place of a page number. */
export function linkNext(ctx: Koa.Context, parameter: string, cursor: string): void {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.delete('pageIndex');
  parameters.set(parameter, cursor);
  ctx.append('Link', `<${ctx.path}?${parameters}>; rel="next"`);
}
