import type Koa from 'koa';
import { z } from 'zod';
import { wholeNumberText } from '../endpoint/parameters.js';
import type { HeaderDocs } from '../endpoint/response-headers.js';
import { type CursorValues, decodeCursor, encodeCursor, linkNext } from './cursor.js';

const PAGE_SIZE = 50;
const START_OVER = 'Start again without a cursor.';

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
      : decodeCursor(ctx, filters, {
          parameter: 'cursor',
          text: page.cursor,
          position,
          startOver: START_OVER,
        });
  const result = await read({ limit: pageSize + 1, after });
  const found = Array.isArray(result) ? { rows: result, goesOn: false } : result;
  const rows = found.rows.slice(0, pageSize);
  const last = found.goesOn || found.rows.length > pageSize ? rows.at(-1) : undefined;
  const nextCursor = last ? encodeCursor(ctx, filters, positionOf(last)) : null;
  if (nextCursor) linkNext(ctx, 'cursor', nextCursor);
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
