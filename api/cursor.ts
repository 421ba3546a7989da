import { createHash } from 'node:crypto';
import { z } from 'zod';
import { badRequest } from './errors.js';

const VERSION = 1;
const cursorSchema = z.tuple([z.literal(VERSION), z.string(), z.array(z.unknown())]);

/**
 * A cursor says where a list goes on: its version, a hash of the list's filters and sort, and the values that the last row
 * of a page is sorted by. It grants nothing, so it is not signed.
 *
 * @param list all that decides which rows the list holds and in which order
 */
export function encodeCursor(list: unknown, place: readonly (string | number | Date)[]): string {
  return Buffer.from(JSON.stringify([VERSION, hashOf(list), place])).toString('base64url');
}

/** The place that a cursor of this very list names; 400 `invalid_cursor` when it is another list's, or none at all. */
export function decodeCursor<Place extends z.ZodType>(
  list: unknown,
  text: string,
  place: Place,
): z.infer<Place> {
  const parsed = cursorSchema.safeParse(parse(text));
  if (!parsed.success) throw invalidCursor('take nextCursor of a page as it is');
  const [, hash, values] = parsed.data;
  if (hash !== hashOf(list)) throw invalidCursor('it belongs to a list with other filters or another sort');
  const result = place.safeParse(values);
  if (!result.success) throw invalidCursor('take nextCursor of a page as it is');
  return result.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
}

const hashOf = (list: unknown): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 11);

const invalidCursor = (message: string) =>
  badRequest('invalid_cursor', `This is no cursor of this list: ${message}.`, [
    { field: 'cursor', code: 'invalid_cursor', message },
  ]);
