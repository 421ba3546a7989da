import { createHash } from 'node:crypto';
import type Koa from 'koa';
import { z } from 'zod';
import { wholeNumberText } from '../endpoint/parameters.js';
import type { HeaderDocs } from '../endpoint/response-headers.js';
import { badRequest } from '../http/errors.js';

const PAGE_SIZE = 50;

/** The query parameters of every list. */
export const pageQuery = {
  pageSize: wholeNumberText(1, 1_000)
    .optional()
    .meta({ description: `Maximum number of rows in a page. Default: ${PAGE_SIZE}` }),
  cursor: z.string().max(4_000).optional().meta({ description: '`nextCursor` of the previous page' }),
};

/** The page that a request asks for. */
export interface PageRequest {
  pageSize?: number | undefined;
  cursor?: string | undefined;
}

export const pageSizeOf = ({ pageSize = PAGE_SIZE }: PageRequest): number => pageSize;

/** The `page` property of a response. */
export const pageSchema = z.object({ pageSize: z.number().int(), nextCursor: z.string().nullable() });

/** The response headers of a page. */
export const PAGE_HEADERS = { Link: 'sometimes' } as const satisfies HeaderDocs;

/** The position of a row in a list that is sorted by a time and an id. */
export const timePosition = z
  .tuple([z.iso.datetime().transform((text) => new Date(text)), z.uuid()])
  .transform(([at, id]) => ({ at, id }));

/** Rows of a page that is shorter than requested, because more of them would cost too much. At least one. */
export interface ShortPage<Row> {
  rows: Row[];
  /** Whether the list goes on after these rows. */
  goesOn: boolean;
}

export interface List<Row, Position> {
  page: PageRequest;
  /** What else decides which rows the list holds, and their order. A cursor is valid only for the same filters. */
  filters: object;
  /** Parses the values of `positionOf`, after a round trip through JSON. */
  position: z.ZodType<Position>;
  /** Returns the values that the list is sorted by. */
  positionOf(row: Row): CursorValues;
  /** Reads up to `limit` rows that follow a position, or the first ones. */
  read(page: { limit: number; after: Position | undefined }): Promise<Row[] | ShortPage<Row>>;
}

interface Page<Row> {
  rows: Row[];
  pageSize: number;
  /** Null on the last page. */
  nextCursor: string | null;
}

/**
 * Reads one page of a list and adds a `Link` to the next one. Reading one row more than the page holds tells whether
 * there is a next page.
 * @throws RequestError 400 `invalid_cursor`
 */
export async function readPage<Row, Position>(
  ctx: Koa.Context,
  { page, filters, position, positionOf, read }: List<Row, Position>,
): Promise<Page<Row>> {
  const pageSize = pageSizeOf(page);
  const after =
    page.cursor === undefined
      ? undefined
      : decodeCursor(ctx, filters, { name: 'cursor', text: page.cursor }, position);
  const result = await read({ limit: pageSize + 1, after });
  const found = Array.isArray(result) ? { rows: result, goesOn: false } : result;
  const rows = found.rows.slice(0, pageSize);
  const last = found.goesOn || found.rows.length > pageSize ? rows.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(ctx, filters, positionOf(last)) : null;
  if (nextCursor) linkNext(ctx, nextCursor);
  return { rows, pageSize, nextCursor };
}

/** Sends one page of a list, its rows in the form that `present` returns. */
export async function sendPage<Row, Position>(
  ctx: Koa.Context,
  list: List<Row, Position> & { present: (row: Row) => object },
): Promise<void> {
  const { rows, pageSize, nextCursor } = await readPage(ctx, list);
  ctx.body = { status: 'success', data: rows.map(list.present), page: { pageSize, nextCursor } };
}

/** Adds a `Link` (RFC 8288) with the cursor in place of a page number. */
function linkNext(ctx: Koa.Context, cursor: string): void {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.delete('pageIndex');
  parameters.set('cursor', cursor);
  ctx.append('Link', `<${ctx.path}?${parameters}>; rel="next"`);
}

const VERSION = 2;
const cursorSchema = z.tuple([z.literal(VERSION), z.string(), z.array(z.unknown())]);

/** The values that a list is sorted by, of one row. */
export type CursorValues = readonly (string | number | Date | null)[];

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
 * @param cursor with the name of its parameter
 * @throws RequestError 400 `invalid_cursor` if the cursor is malformed or belongs to a different list
 */
export function decodeCursor<Position>(
  ctx: Koa.Context,
  list: unknown,
  { name, text }: { name: string; text: string },
  position: z.ZodType<Position>,
): Position {
  if (text.includes(' ')) throw invalidCursor(name, `${MALFORMED} If it contains a +, write + as %2B.`);
  const parsed = cursorSchema.safeParse(parse(text));
  if (!parsed.success) throw invalidCursor(name, MALFORMED);
  const [, hash, values] = parsed.data;
  if (hash !== hashOf(ctx, list)) throw invalidCursor(name, OTHER_LIST);
  const result = position.safeParse(values);
  if (!result.success) throw invalidCursor(name, MALFORMED);
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

const invalidCursor = (field: string, message: string) =>
  badRequest('invalid_cursor', `Invalid \`${field}\`: ${message}`, [
    { field, code: 'invalid_cursor', message },
  ]);
